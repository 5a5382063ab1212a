import { isJsonObject } from '@hone/json';

import { type JsonFields, readJsonFields, shownValue } from '../../config/json-fields.js';
import { BaseModelDamagedError } from '../../config/model.errors.js';
import { TokenizerUnsupportedError } from '../tokenizer.errors.js';
import { type AddedToken, isTokenId, toAddedTokens, toVocabulary } from '../tokenizer-file.js';
import type { BertRules } from './bert-words.js';

/** What a `tokenizer.json` of the BERT family says. */
export interface WordPieceFile {
  readonly path: string;
  readonly vocabulary: Readonly<Record<string, number>>;
  /** Id of the token for a word that cannot be put together of others. */
  readonly unknownId: number;
  /** What tokens begin with that continue a word. */
  readonly continuation: string;
  /** Longer words are unknown. */
  readonly maxWordCharacters: number;
  readonly rules: BertRules;
  readonly addedTokens: readonly AddedToken[];
  /** Ids that are put before and after a text. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/**
 * Reads a `tokenizer.json` with WordPiece, `BertNormalizer` and `BertPreTokenizer`. Its `truncation` and `padding` are
 * settings of who wrote the file, and not read.
 *
 * @throws BaseModelDamagedError it is missing or not a tokenizer
 * @throws TokenizerUnsupportedError it is a tokenizer of another kind
 */
export async function readWordPieceFile(path: string): Promise<WordPieceFile> {
  const fields = await readJsonFields(path);
  const model = partOf(fields, 'model', 'WordPiece');
  partOf(fields, 'pre_tokenizer', 'BertPreTokenizer');
  const vocabulary = toVocabulary(path, model.get('vocab'));
  const unknown = model.text('unk_token', '[UNK]');
  if (!Object.hasOwn(vocabulary, unknown)) {
    throw new BaseModelDamagedError(path, `model.vocab lacks the unknown token ${shownValue(unknown)}`);
  }
  return {
    path,
    vocabulary,
    unknownId: vocabulary[unknown] as number,
    continuation: model.text('continuing_subword_prefix', '##'),
    maxWordCharacters: model.size('max_input_chars_per_word', 100),
    rules: toRules(partOf(fields, 'normalizer', 'BertNormalizer')),
    addedTokens: markersOf(path, fields.get('added_tokens') ?? []),
    ...specialTokensAround(fields),
  };
}

/** A part of the tokenizer that has to be of one type. */
function partOf(fields: JsonFields, name: string, expected: string): JsonFields {
  const part = fields.object(name);
  const type = part?.get('type');
  if (part !== null && type === expected) return part;
  const found = part === null ? 'missing' : shownValue(type ?? null);
  throw new TokenizerUnsupportedError(fields.file, `its ${name} is ${found}, expected ${expected}`);
}

function toRules(normalizer: JsonFields): BertRules {
  const lowercases = normalizer.flag('lowercase', true);
  return {
    cleansText: normalizer.flag('clean_text', true),
    separatesChinese: normalizer.flag('handle_chinese_chars', true),
    stripsAccents: normalizer.flag('strip_accents', lowercases),
    lowercases,
  };
}

/** Texts that are one token each wherever they stand, `[SEP]` for example. */
function markersOf(path: string, value: unknown): AddedToken[] {
  const tokens = toAddedTokens(path, value);
  const text = tokens.find(({ special }) => !special);
  if (text === undefined) return tokens;
  throw new TokenizerUnsupportedError(path, `${shownValue(text.content)} in added_tokens is no special token`);
}

type Around = Pick<WordPieceFile, 'before' | 'after'>;

/** What the post-processor puts around a single text. */
function specialTokensAround(fields: JsonFields): Around {
  const part = fields.object('post_processor');
  switch (part?.get('type') ?? null) {
    case null:
      return { before: [], after: [] };
    case 'BertProcessing':
      return { before: [pairedId(part as JsonFields, 'cls')], after: [pairedId(part as JsonFields, 'sep')] };
    case 'TemplateProcessing':
      return fromTemplate(part as JsonFields);
    default: {
      const type = shownValue(part?.get('type'));
      throw new TokenizerUnsupportedError(fields.file, `its post_processor is ${type}, expected TemplateProcessing`);
    }
  }
}

/** `["[CLS]", 101]` */
function pairedId(part: JsonFields, name: string): number {
  const pair = part.get(name);
  if (Array.isArray(pair) && isTokenId(pair[1])) return pair[1];
  throw new BaseModelDamagedError(part.file, `post_processor.${name} is no pair of token and id`);
}

function fromTemplate(part: JsonFields): Around {
  const pieces = part.get('single');
  const tokens = part.object('special_tokens')?.values ?? {};
  const fail = () => new BaseModelDamagedError(part.file, 'post_processor.single is no template of one text');
  if (!Array.isArray(pieces)) throw fail();
  const ids = pieces.map((piece: unknown) => {
    if (!isJsonObject(piece)) throw fail();
    if (isJsonObject(piece['Sequence'])) return null;
    const name = isJsonObject(piece['SpecialToken']) ? piece['SpecialToken']['id'] : null;
    const token = typeof name === 'string' && Object.hasOwn(tokens, name) ? tokens[name] : null;
    const list = isJsonObject(token) ? token['ids'] : null;
    if (!Array.isArray(list) || !list.every(isTokenId)) throw fail();
    return list;
  });
  const at = ids.indexOf(null);
  if (at < 0 || ids.indexOf(null, at + 1) >= 0) throw fail();
  return {
    before: ids.slice(0, at).flatMap((list) => list ?? []),
    after: ids.slice(at + 1).flatMap((list) => list ?? []),
  };
}
