import { check, JsonParseError, parseJsonBytes, type Class, type Issue, type JsonValue } from '@hone/contracts';
import type { Task } from '@hone/threads';

/**
 * A body of the largest size with log-probabilities has some four million values; one that has nothing but empty
 * objects would have twenty, and take more memory than there is.
 */
const LIMITS = { maxLevels: 64, maxValues: 6_000_000 };

/** How a kind of large body is read. What its request goes on with is small, whatever the size of the body. */
export interface BodyFormat<Dto extends object, Content> {
  /** Class that checks and documents the body. */
  readonly type: Class<Dto>;
  /** `import.meta.url` of the module that exports `TASK`, the {@link bodyTask} of this format. */
  readonly module: string;
  /** Boils a checked body down; what is still wrong goes to `issues`. `sent` has unknown fields too. */
  digest(body: Dto, issues: Issue[], sent: JsonValue): Content;
}

export type ReadOutcome<Content> = { readonly issues: Issue[] } | { readonly content: Content };

export type BodyTask<Content> = Task<Uint8Array, ReadOutcome<Content>> & { readonly type: Class };

/** Parses, checks and boils down a body of this format. */
export const bodyTask = <Dto extends object, Content>(format: BodyFormat<Dto, Content>): BodyTask<Content> => ({
  type: format.type,
  module: format.module,
  run: (bytes) => readBody(format, bytes),
});

function readBody<Dto extends object, Content>(
  { type, digest }: BodyFormat<Dto, Content>,
  bytes: Uint8Array,
): ReadOutcome<Content> {
  let parsed: JsonValue;
  try {
    parsed = parseJsonBytes(bytes, LIMITS);
  } catch (error) {
    if (error instanceof JsonParseError) return { issues: [error.toIssue(['body'])] };
    throw error;
  }
  const { value, issues } = check(type, parsed, ['body']);
  if (!value) return { issues };
  const content = digest(value, issues, parsed);
  return issues.length ? { issues } : { content };
}
