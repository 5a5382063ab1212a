import { isJsonObject } from '@hone/json';

import { readJsonFields, shownValue } from '../config/json-fields.js';
import { BaseModelDamagedError } from '../config/model.errors.js';
import { TokenizerUnsupportedError } from './tokenizer.errors.js';

/** An entry of `added_tokens`, the list next to the vocabulary. */
export interface AddedToken {
  readonly id: number;
  readonly content: string;
  /** Special tokens are control tokens: begin, end, roles. Others are text that is always one token. */
  readonly special: boolean;
  /** Blanks to the left, or right, belong to the token. */
  readonly lstrip: boolean;
  readonly rstrip: boolean;
}

/** What the engine needs to know of a `tokenizer.json`; its form is the serialisation of Hugging Face's tokenizers. */
export interface TokenizerFile {
  readonly path: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** Of the BPE model. */
  readonly vocabulary: Readonly<Record<string, number>>;
  /** In order of rank. */
  readonly merges: readonly (readonly [string, string])[];
  readonly addedTokens: readonly AddedToken[];
}

/**
 * Reads `tokenizer.json`.
 *
 * @throws BaseModelDamagedError it is missing or not a tokenizer
 * @throws TokenizerUnsupportedError its model is not byte-pair encoding
 */
export async function readTokenizerFile(path: string): Promise<TokenizerFile> {
  const fields = await readJsonFields(path);
  const model = fields.object('model');
  if (!model) throw new BaseModelDamagedError(path, 'model is missing, expected an object');
  // Early files have no type; a list of merges identifies BPE.
  const type = model.text('type', model.has('merges') ? 'BPE' : 'unknown');
  if (type !== 'BPE') throw new TokenizerUnsupportedError(path, `its model is ${shownValue(type)}, expected BPE`);
  return {
    path,
    json: fields.values,
    vocabulary: toVocabulary(path, model.get('vocab')),
    merges: toMerges(path, model.get('merges')),
    addedTokens: toAddedTokens(path, fields.get('added_tokens') ?? []),
  };
}

/** @throws BaseModelDamagedError it is no map from token to id */
export function toVocabulary(path: string, value: unknown): Record<string, number> {
  if (isJsonObject(value) && Object.values(value).every(isTokenId)) return value as Record<string, number>;
  throw new BaseModelDamagedError(path, 'model.vocab is not a map from token to id');
}

/** Older files write a merge as `"a b"`, newer ones as `["a", "b"]`. */
function toMerges(path: string, value: unknown): [string, string][] {
  const merges = Array.isArray(value)
    ? value.map((merge) => (typeof merge === 'string' ? merge.split(' ') : merge))
    : [];
  const isPair = (merge: unknown): boolean => {
    return Array.isArray(merge) && merge.length === 2 && merge.every((part) => typeof part === 'string');
  };
  if (Array.isArray(value) && merges.every(isPair)) return merges as [string, string][];
  throw new BaseModelDamagedError(path, 'model.merges is not a list of pairs');
}

/** Markers have some dozen characters; all parts of each are kept. */
const MAX_ADDED_CHARACTERS = 1024;
/** Of all together. Gemma has the most, 6,400 tokens of a dozen characters. */
const MAX_ADDED_TEXT = 1 << 19;

function assertShort(path: string, tokens: readonly AddedToken[]): void {
  const longest = tokens.reduce((most, { content }) => Math.max(most, content.length), 0);
  const all = tokens.reduce((sum, { content }) => sum + content.length, 0);
  const fail = (what: string, most: number): never => {
    throw new BaseModelDamagedError(path, `added_tokens has ${what} characters, expected at most ${most}`);
  };
  if (longest > MAX_ADDED_CHARACTERS) fail(`a token of ${longest}`, MAX_ADDED_CHARACTERS);
  if (all > MAX_ADDED_TEXT) fail(`tokens of ${all}`, MAX_ADDED_TEXT);
}

/** @throws BaseModelDamagedError it is no list of tokens */
export function toAddedTokens(path: string, value: unknown): AddedToken[] {
  if (!Array.isArray(value)) throw new BaseModelDamagedError(path, 'added_tokens is not a list');
  const tokens = value.map((token: unknown): AddedToken => {
    const { id, content, special, lstrip, rstrip } = isJsonObject(token) ? token : {};
    if (isTokenId(id) && typeof content === 'string' && content !== '') {
      return { id, content, special: special === true, lstrip: lstrip === true, rstrip: rstrip === true };
    }
    throw new BaseModelDamagedError(path, 'added_tokens has an entry without id and content');
  });
  assertShort(path, tokens);
  return tokens;
}

/** Real vocabularies have at most a few hundred thousand tokens; an id makes an array that long. */
export function isTokenId(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 24;
}

/** The steps of a pre-tokenizer or decoder of a tokenizer.json: those of a sequence in their order, or the part alone. */
export function stepsOf(part: unknown, list: 'pretokenizers' | 'decoders'): Record<string, unknown>[] {
  if (!isJsonObject(part)) return [];
  const steps: unknown = part[list];
  return Array.isArray(steps) ? steps.flatMap((step) => stepsOf(step, list)) : [part];
}
