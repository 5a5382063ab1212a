import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';

import { byteLevelTokenizer } from './byte-level-tokenizer.fixture.js';
import { WordEncoder } from './word-encoder.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const byteLevel = (use_regex: boolean) => ({ type: 'ByteLevel', add_prefix_space: false, use_regex });
const sequence = (...pretokenizers: object[]) => ({ type: 'Sequence', pretokenizers });
const isolated = (Regex: string) => ({ type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false });
/** How Llama 3 cuts, in the words of its own tokenizer.json. */
const LLAMA3 =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const digits = { type: 'Digits', individual_digits: true };

const without = (changes: object) => ({ ...byteLevelTokenizer(), added_tokens: [], ...changes });
const KINDS = [
  ['GPT-2', without({})],
  ['single digits', without({ pre_tokenizer: sequence(digits, byteLevel(true)) })],
  ['Llama 3', without({ pre_tokenizer: sequence(isolated(LLAMA3), byteLevel(false)) })],
  ['composed characters', without({ normalizer: { type: 'NFC' } })],
  ['no cuts', without({ pre_tokenizer: byteLevel(false) })],
] as const;

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    ' ',
    '  ',
    '\n',
    '\r\n\n',
    "it's",
    ' hello',
    ' world',
    '1234',
    'e\u0301',
    '🙂',
    '\ud800',
    '¿!',
    '\u3000',
  ),
);
const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

describe('WordEncoder', () => {
  it.each(KINDS)('gives the ids that the library gives: %s', (_, json) => {
    const library = new Tokenizer(json, {});
    const encoder = WordEncoder.of(json, library) as WordEncoder;
    fc.assert(
      fc.property(texts, (text) => {
        const { ids } = library.encode(text, { add_special_tokens: false });
        expect(encoder.encode(text)).toEqual(ids);
        expect(encoder.encode(text)).toEqual(ids);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['words that begin with a blank of their own', { pre_tokenizer: { ...byteLevel(true), add_prefix_space: true } }],
    ['words that are no bytes', { pre_tokenizer: { type: 'Metaspace', replacement: '▁' } }],
    ['bytes that are cut again', { pre_tokenizer: sequence(byteLevel(false), digits) }],
    ['no rule at all', { pre_tokenizer: null }],
    ['tokens beside the vocabulary', { added_tokens: [{ id: 270, content: 'hello', special: false }] }],
    ['unknown words that melt together', { model: { ...(without({}) as { model?: object }).model, fuse_unk: true } }],
  ])('leaves %s to the library', (_, changes) => {
    const json = without(changes);
    expect(WordEncoder.of(json, new Tokenizer(without({}), {}))).toBeNull();
  });

  it('goes on when more words came than it remembers', () => {
    const json = without({});
    const library = new Tokenizer(json, {});
    const encoder = WordEncoder.of(json, library) as WordEncoder;
    const many = Array.from({ length: 60_000 }, (_, index) => ` w${index.toString(36)}x`.replace(/\d/g, 'y')).join('');
    encoder.encode(many);
    expect(encoder.encode(' hello world')).toEqual(library.encode(' hello world').ids);
  });
});
