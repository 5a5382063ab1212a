import {
  check,
  type Class,
  type Issue,
  type JsonLimits,
  JsonParseError,
  type JsonValue,
  parseJsonBytes,
} from '@hone/contracts';
import { fromPieces, type Task, toPieces } from '@hone/threads';

/** How a kind of body is read. */
export interface BodyFormat<Dto extends object, Content> {
  /** Class that checks and documents the body. */
  readonly type: Class<Dto>;
  /** `import.meta.url` of the module that exports the {@link bodyTask} of this format. */
  readonly module: string;
  /** Name of that export. Default `TASK`. */
  readonly name?: string;
  /** What the JSON may hold. */
  readonly limits?: JsonLimits;
  /**
   * Makes of a checked body what its request goes on with: large values as texts, and no class but `Date`. A list of any
   * length comes back from a thread in pieces.
   *
   * @param issues what is still wrong goes here
   * @param sent has unknown fields too
   * @param refScheme of the refs that the service writes
   */
  digest(body: Dto, issues: Issue[], sent: JsonValue, refScheme: string): Content;
}

/** A body on its way to a thread. */
export interface SentBody {
  readonly bytes: Uint8Array;
  readonly refScheme: string;
}

export type ReadOutcome<Content> = { readonly issues: Issue[] } | { readonly content: Content };

/** The same on its way back. */
type PackedOutcome<Content> = ReadOutcome<Content> | { readonly pieces: Uint8Array[] };

export interface BodyTask<Content> extends Task<SentBody, PackedOutcome<Content>> {
  readonly type: Class;
  readonly limits?: JsonLimits;
  /** Checks and digests a body that is parsed already, in this thread. */
  read(sent: JsonValue, refScheme: string): ReadOutcome<Content>;
  unpack(outcome: PackedOutcome<Content>): Promise<ReadOutcome<Content>>;
}

/** Parses, checks and digests a body of this format. */
export function bodyTask<Dto extends object, Content>(format: BodyFormat<Dto, Content>): BodyTask<Content> {
  const { type, module, name, limits } = format;
  const read = (sent: JsonValue, refScheme: string) => readBody(format, sent, refScheme);
  return { type, module, name, limits, read, unpack, run: ({ bytes, refScheme }) => pack(parse(bytes, refScheme)) };

  function parse(bytes: Uint8Array, refScheme: string): ReadOutcome<Content> {
    try {
      return read(parseJsonBytes(bytes, limits), refScheme);
    } catch (error) {
      if (error instanceof JsonParseError) return { issues: [error.toIssue(['body'])] };
      throw error;
    }
  }
}

function readBody<Dto extends object, Content>(
  { type, digest }: BodyFormat<Dto, Content>,
  sent: JsonValue,
  refScheme: string,
): ReadOutcome<Content> {
  const { value, issues } = check(type, sent, ['body']);
  if (!value) return { issues };
  const content = digest(value, issues, sent, refScheme);
  return issues.length ? { issues } : { content };
}

const pack = <Content>(outcome: ReadOutcome<Content>): PackedOutcome<Content> =>
  'content' in outcome && Array.isArray(outcome.content) ? { pieces: toPieces(outcome.content) } : outcome;

const unpack = async <Content>(outcome: PackedOutcome<Content>): Promise<ReadOutcome<Content>> =>
  'pieces' in outcome ? { content: (await fromPieces(outcome.pieces)) as Content } : outcome;
