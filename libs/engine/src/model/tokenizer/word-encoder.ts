import { Tokenizer } from '@huggingface/tokenizers';

import { toByteCharacters } from './byte-characters.js';
import { stepsOf } from './tokenizer-file.js';
import { GPT2_WORDS } from './word-patterns.js';

/** Bounds of the cache: number of words, and characters of a cached word. */
const MAX_WORDS = 50_000;
const MAX_CHARACTERS = 64;

/**
 * Encodes text word by word and remembers the tokens of each word: the tokenizer's own rules cut the text, and its
 * model sees every word for itself, so the tokens are those that the library gives.
 */
export class WordEncoder {
  private readonly idsByWord = new Map<string, readonly number[]>();

  private constructor(
    private readonly cutter: Tokenizer,
    private readonly whole: Tokenizer,
  ) {}

  /**
   * Null: a tokenizer that splits words after the byte mapping, or whose words depend on each other.
   *
   * @param json of the tokenizer, without control tokens
   * @param whole the library's tokenizer of the same `json`
   */
  static of(json: Readonly<Record<string, unknown>>, whole: Tokenizer): WordEncoder | null {
    const cuts = withoutByteMapping(json.pre_tokenizer);
    const hasAddedTokens = Array.isArray(json.added_tokens) && json.added_tokens.length > 0;
    if (cuts === null || hasAddedTokens || (json.model as { fuse_unk?: unknown }).fuse_unk === true) return null;
    const none = { added_tokens: [], post_processor: null, decoder: null };
    const model = { type: 'BPE', vocab: {}, merges: [] };
    const pre_tokenizer = { type: 'Sequence', pretokenizers: cuts };
    return new WordEncoder(new Tokenizer({ ...json, ...none, model, pre_tokenizer }, {}), whole);
  }

  encode(text: string): number[] {
    const { normalizer, pre_tokenizer } = this.cutter;
    const normalized = normalizer ? normalizer.normalize(text) : text;
    const ids: number[] = [];
    for (const word of pre_tokenizer?.pre_tokenize(normalized) ?? []) {
      for (const id of this.idsByWord.get(word) ?? this.encodeWord(word)) ids.push(id);
    }
    return ids;
  }

  private encodeWord(word: string): readonly number[] {
    const { model } = this.whole;
    if (!model || word === '') return [];
    const tokens: string[] = model._call([toByteCharacters(word)]);
    const ids = tokens
      .map((token): number | undefined => model.tokens_to_ids.get(token) ?? model.unk_token_id)
      .filter((id) => id !== undefined);
    if (word.length > MAX_CHARACTERS) return ids;
    if (this.idsByWord.size >= MAX_WORDS) this.idsByWord.clear();
    this.idsByWord.set(word, ids);
    return ids;
  }
}

/** The rules that cut, when turning words into the characters of bytes is all that is left to do after them. */
function withoutByteMapping(preTokenizer: unknown): object[] | null {
  const steps = stepsOf(preTokenizer, 'pretokenizers');
  const mapping = steps.pop();
  if (mapping?.type !== 'ByteLevel' || mapping.add_prefix_space === true) return null;
  if (!steps.every(({ type }) => type === 'Split' || type === 'Digits' || type === 'Punctuation')) return null;
  if (mapping.use_regex === false) return steps;
  return [...steps, { type: 'Split', pattern: { Regex: GPT2_WORDS }, behavior: 'Isolated', invert: true }];
}
