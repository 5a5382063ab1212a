import {
  check,
  type Class,
  type Issue,
  type JsonLimits,
  JsonParseError,
  type JsonValue,
  parseJsonBytes,
} from '@hone/contracts';
import { builtUrl, fromPieces, type Task, toPieces } from '@hone/threads';

import { DomainError, type Refusal, RefusedError } from '../errors/domain-error.js';
import { ValidationError } from '../errors/validation.error.js';
import type { SentTranslation, Translate, TranslationModule } from '../http/body-translation.js';
import { projectOf } from '../http/project-of-body.js';
import { toClonable } from './cloned-json.js';

export { ValidationError } from '../errors/validation.error.js';
export { toClonable } from './cloned-json.js';

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
   * @param issues what is still wrong goes here, or is thrown as a ValidationError
   * @param sent has unknown fields too
   * @param refScheme of the refs that the service writes
   */
  digest(body: Dto, issues: Issue[], sent: JsonValue, refScheme: string): Content;
}

/** A body on its way to a thread. */
export interface SentBody {
  readonly bytes: Uint8Array;
  readonly refScheme: string;
  readonly translation?: SentTranslation;
}

export type ReadOutcome<Content> = { readonly issues: Issue[] } | { readonly content: Content };

/** The same on its way back. */
type PackedOutcome<Content> = ReadOutcome<Content> | { readonly pieces: Uint8Array[] } | { readonly refusal: Refusal };

/** What a thread answers: the outcome, and the project that the body names. */
export type ThreadOutcome<Content> = PackedOutcome<Content> & { readonly project: string };

export interface BodyTask<Content> extends Task<SentBody, ThreadOutcome<Content>> {
  readonly type: Class;
  readonly limits?: JsonLimits;
  /** Checks and digests a body that is parsed already, in this thread. */
  read(sent: JsonValue, refScheme: string): ReadOutcome<Content>;
  /** @throws DomainError the thread refused the body */
  unpack(outcome: PackedOutcome<Content>): Promise<ReadOutcome<Content>>;
}

/** Parses, checks and digests a body of this format. */
export function bodyTask<Dto extends object, Content>(format: BodyFormat<Dto, Content>): BodyTask<Content> {
  const { type, module, name, limits } = format;
  const read = (sent: JsonValue, refScheme: string) => readBody(format, sent, refScheme);
  return { type, module, name, limits, read, unpack: unpackOutcome, run };

  async function run({ bytes, refScheme, translation }: SentBody): Promise<ThreadOutcome<Content>> {
    const translate = translation ? await load(translation) : (value: JsonValue) => value;
    let project = '';
    try {
      const outcome = outcomeOf(() => {
        const sent = parseJsonBytes(bytes, translation?.limits ?? limits);
        project = projectOf(sent);
        return translate(sent, type);
      });
      return { project, ...('issues' in outcome ? outcome : pack(read(outcome.content, refScheme))) };
    } catch (error) {
      if (error instanceof DomainError) return { project, refusal: error.toRefusal() };
      throw error;
    }
  }
}

/** A body on its way to a thread that only checks it. */
export interface SentForCheck extends SentBody {
  /** Name by which the task knows the class of the body. */
  readonly type: string;
}

export interface CheckTask extends Task<SentForCheck, ThreadOutcome<unknown>> {
  /** @returns undefined: the task does not know the class */
  nameOf(type: Class): string | undefined;
}

/**
 * Parses and checks bodies of many classes. What comes of them is as `check()` makes it, of plain objects, and goes through
 * `toClonable`.
 *
 * @param module `import.meta.url` of the module that exports the task as `TASK`
 * @param exports of modules: classes and what else they have
 */
export function checkTask(module: string, exports: Readonly<Record<string, unknown>>): CheckTask {
  const names = new Map(Object.entries(exports).map(([name, value]) => [value, name]));
  return {
    module,
    nameOf: (type) => names.get(type),
    run: ({ type, ...sent }) =>
      bodyTask({ type: exports[type] as Class, module, digest: (body) => toClonable(body) }).run(sent),
  };
}

/** Issues that are thrown, because the text is no JSON or for any other reason, become an outcome. */
export function outcomeOf<Content>(read: () => Content): ReadOutcome<Content> {
  try {
    return { content: read() };
  } catch (error) {
    if (error instanceof ValidationError) return { issues: error.issues };
    if (error instanceof JsonParseError) return { issues: [error.toIssue(['body'])] };
    throw error;
  }
}

/** @throws ValidationError there are issues */
export function contentOf<Content>(outcome: ReadOutcome<Content>): Content {
  if ('issues' in outcome) throw new ValidationError(outcome.issues);
  return outcome.content;
}

async function load({ module, options }: SentTranslation): Promise<Translate> {
  const { TRANSLATION } = (await import(builtUrl(module).href)) as TranslationModule<unknown>;
  return TRANSLATION(options);
}

function readBody<Dto extends object, Content>(
  { type, digest }: BodyFormat<Dto, Content>,
  sent: JsonValue,
  refScheme: string,
): ReadOutcome<Content> {
  const { value, issues } = check(type, sent, ['body']);
  if (!value) return { issues };
  const outcome = outcomeOf(() => digest(value, issues, sent, refScheme));
  return issues.length ? { issues } : outcome;
}

const pack = <Content>(outcome: ReadOutcome<Content>): PackedOutcome<Content> =>
  'content' in outcome && Array.isArray(outcome.content) ? { pieces: toPieces(outcome.content) } : outcome;

/** @throws DomainError the thread refused the body */
export async function unpackOutcome<Content>(outcome: PackedOutcome<Content>): Promise<ReadOutcome<Content>> {
  if ('refusal' in outcome) throw new RefusedError(outcome.refusal);
  return 'pieces' in outcome ? { content: (await fromPieces(outcome.pieces)) as Content } : outcome;
}
