import { BaseModelDamagedError } from '../../model/config/model.errors.js';
import { TokenizerUnsupportedError } from '../../model/tokenizer/tokenizer.errors.js';
import type { GgufFields } from './gguf-fields.js';
import type { GgufVocabulary } from './gguf-vocabulary.js';
import { mergesFromScores } from './merges-from-scores.js';
import { toPreTokenizer, wordRule } from './pre-tokenizers.js';

const BLANK = '\u2581';

/**
 * `tokenizer.json` of the tokenizer in a GGUF file: byte-level BPE (`gpt2`), or SentencePiece's BPE (`llama`).
 *
 * @throws TokenizerUnsupportedError another kind, or an unknown pre-tokenizer
 * @throws BaseModelDamagedError
 */
export function toTokenizerJson(fields: GgufFields, vocabulary: GgufVocabulary): Record<string, unknown> {
  const kind = fields.text('tokenizer.ggml.model');
  if (kind === 'gpt2') return byteLevel(fields, vocabulary);
  if (kind === 'llama') return sentencePiece(fields, vocabulary);
  const shown = JSON.stringify(kind?.slice(0, 80) ?? null);
  throw new TokenizerUnsupportedError(fields.path, `tokenizer.ggml.model is ${shown}, expected gpt2 or llama`);
}

function byteLevel(fields: GgufFields, vocabulary: GgufVocabulary): Record<string, unknown> {
  const rule = wordRule(fields.path, fields.text('tokenizer.ggml.pre'));
  const merges = fields.texts('tokenizer.ggml.merges').map((merge) => toPair(fields, merge));
  return {
    ...frame(fields, vocabulary, rule.addsBegin === true),
    normalizer: null,
    pre_tokenizer: toPreTokenizer(rule),
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
    model: {
      type: 'BPE',
      unk_token: null,
      ignore_merges: rule.ignoreMerges === true,
      vocab: vocabulary.texts(),
      merges,
    },
  };
}

/** As transformers converts Llama 2's tokenizer (LlamaConverter of convert_slow_tokenizer.py). */
function sentencePiece(fields: GgufFields, vocabulary: GgufVocabulary): Record<string, unknown> {
  const prefixed = fields.flag('tokenizer.ggml.add_space_prefix') ?? true;
  const replace = { type: 'Replace', pattern: { String: ' ' }, content: BLANK };
  const strip = prefixed ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : [];
  const unknown = vocabulary.specialText('unknown') ?? '<unk>';
  const scores = fields.numbers('tokenizer.ggml.scores', vocabulary.tokens.length);
  if (scores === null) throw new BaseModelDamagedError(fields.path, 'tokenizer.ggml.scores is missing');
  return {
    ...frame(fields, vocabulary, true),
    normalizer: {
      type: 'Sequence',
      normalizers: [...(prefixed ? [{ type: 'Prepend', prepend: BLANK }] : []), replace],
    },
    pre_tokenizer: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: BLANK }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        ...strip,
      ],
    },
    model: {
      type: 'BPE',
      unk_token: unknown,
      fuse_unk: true,
      byte_fallback: true,
      vocab: vocabulary.texts(),
      merges: mergesFromScores(vocabulary, scores),
    },
  };
}

function frame(fields: GgufFields, vocabulary: GgufVocabulary, addsBegin: boolean): Record<string, unknown> {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: vocabulary.addedTokens(),
    post_processor: toPostProcessor(
      (fields.flag('tokenizer.ggml.add_bos_token') ?? addsBegin) ? vocabulary.special('bos') : null,
      (fields.flag('tokenizer.ggml.add_eos_token') ?? false) ? vocabulary.special('eos') : null,
      vocabulary,
    ),
  };
}

/** Puts a begin token, an end token or both around a text. */
function toPostProcessor(begin: number | null, end: number | null, { tokens }: GgufVocabulary): object | null {
  const ids = [begin, end].filter((id) => id !== null);
  if (ids.length === 0) return null;
  const item = (id: number | null): object[] => (id === null ? [] : [{ SpecialToken: { id: tokens[id], type_id: 0 } }]);
  const single = [...item(begin), { Sequence: { id: 'A', type_id: 0 } }, ...item(end)];
  const named = ids.map((id) => [tokens[id]!, { id: tokens[id], ids: [id], tokens: [tokens[id]] }] as const);
  return { type: 'TemplateProcessing', single, pair: single, special_tokens: Object.fromEntries(named) };
}

function toPair({ path }: GgufFields, merge: string): [string, string] {
  const blank = merge.indexOf(' ', 1);
  if (blank > 0 && blank < merge.length - 1) return [merge.slice(0, blank), merge.slice(blank + 1)];
  const shown = JSON.stringify(merge.slice(0, 80));
  throw new BaseModelDamagedError(path, `tokenizer.ggml.merges: ${shown} is not a pair`);
}
