import { type RedactedParts, Redaction } from '@hone/calls/redaction';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  type RedactionDto,
  stringifyJson,
} from '@hone/contracts';

/** Texts of a call that is about to be journalled. */
export interface EntryTexts {
  /** JSON; null: none. */
  readonly inputs: string | null;
  /** JSON; null: none. */
  readonly output: string | null;
  /** JSON object; null: none. */
  readonly metadata: string | null;
  readonly thread: string | null;
  /** The thread is what `user` of the request says. */
  readonly isThreadOfUser?: boolean;
  /** The metadata has that of the body, so it is in the inputs as well: a path of either removes both. */
  readonly isMetadataOfBody?: boolean;
}

export interface RedactedTexts extends EntryTexts {
  /** Something was removed: then tokens, which spell the text, are removed as well. */
  readonly hasChanged: boolean;
}

const OF_USER = new Set(['inputs.user', 'inputs.*']);

/** A path in one of the two places of a body's metadata, in both. */
function inBothPlaces(path: string): readonly string[] {
  const [root, first, ...rest] = path.split('.');
  if (root === 'metadata') return [path, `inputs.${path}`];
  if (root !== 'inputs' || (first !== 'metadata' && first !== '*')) return [path];
  return [path, ['metadata', ...(rest.length > 0 ? rest : ['*'])].join('.')];
}

/** @throws Error a pattern does not compile, or a text is no JSON that can be read */
export function redactEntry({ paths, patterns }: RedactionDto, texts: EntryTexts): RedactedTexts {
  const isUserRemoved = texts.isThreadOfUser === true && paths.some((path) => OF_USER.has(path));
  const both = texts.isMetadataOfBody === true ? paths.flatMap(inBothPlaces) : paths;
  const rules = { paths: isUserRemoved ? [...both, 'thread'] : both, patterns };
  const { inputs, output, metadata, thread } = texts;
  const parts: RedactedParts = {
    ...(inputs !== null && { inputs: parseJson(inputs) }),
    ...(output !== null && { output: parseJson(output) }),
    ...(metadata !== null && { metadata: parseJson(metadata) }),
    ...(thread !== null && { thread }),
  };
  const redacted = new Redaction(rules).redact(parts);
  if (!redacted.hasChanged) return { ...texts, hasChanged: false };
  const json = (value: JsonValue | undefined) => (value === undefined ? null : stringifyJson(value));
  const changed = redacted.parts;
  return {
    inputs: json(changed.inputs),
    output: json(changed.output),
    metadata: json(changed.metadata),
    // What is left of it would put unrelated calls into one thread.
    thread: changed.thread === texts.thread ? texts.thread : null,
    hasChanged: true,
  };
}

const SPELLING = ['prompt_token_ids', 'prompt_logprobs'];
const OF_CHOICES = ['logprobs', 'token_ids', 'prompt_token_ids'];

/** An answer without the tokens that spell it or its prompt. */
export function withoutTokens(output: string): string {
  const answer = parseJson(output);
  if (!isJsonObject(answer)) return output;
  blank(answer, SPELLING);
  const { choices } = answer;
  if (Array.isArray(choices)) for (const choice of choices) if (isJsonObject(choice)) blank(choice, OF_CHOICES);
  return stringifyJson(answer);
}

function blank(object: JsonObject, keys: readonly string[]): void {
  for (const key of keys) if (Object.hasOwn(object, key)) object[key] = null;
}
