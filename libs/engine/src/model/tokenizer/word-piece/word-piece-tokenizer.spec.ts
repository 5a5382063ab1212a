import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { EXPECTED_FILE, type ExpectedOfEncoder, writeTinyEncoder } from '@hone/testing/tiny-encoder';
import fc from 'fast-check';

import { useTempFolder } from '../../temp-folder.fixture.js';
import { WordPieceTokenizer } from './word-piece-tokenizer.js';

describe('WordPieceTokenizer', () => {
  const folder = useTempFolder();
  const path = () => join(folder(), 'tokenizer.json');
  const edit = async (change: (json: Json) => void) => {
    const json = JSON.parse(await readFile(path(), 'utf8')) as Json;
    change(json);
    await writeFile(path(), JSON.stringify(json));
  };
  beforeEach(() => writeTinyEncoder(folder()));

  it("gives the ids of Hugging Face's tokenizers", async () => {
    const { tokens, embeddings, vocabSize } = JSON.parse(await readFile(EXPECTED_FILE, 'utf8')) as ExpectedOfEncoder;
    const tokenizer = await WordPieceTokenizer.read(path());
    expect(tokenizer.vocabSize).toBe(vocabSize);
    expect(tokens.length).toBeGreaterThan(150);
    for (const { text, ids } of [...tokens, ...embeddings]) {
      expect({ text, ids: tokenizer.encode(text) }).toEqual({ text, ids });
    }
  });

  it('gives up a text as soon as it has more tokens than wanted', async () => {
    const tokenizer = await WordPieceTokenizer.read(path());
    expect(tokenizer.encode('cat cat', 4)).toEqual([2, 6, 6, 3]);
    expect(tokenizer.encode('cat cat cat', 4)).toBeNull();
    expect(tokenizer.encode('[SEP][SEP][SEP]', 4)).toBeNull();
  });

  it('encodes a text up to a limit as without one, or not at all', async () => {
    const tokenizer = await WordPieceTokenizer.read(path());
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (text, max) => {
        const ids = tokenizer.encode(text) as number[];
        expect(tokenizer.encode(text, max)).toEqual(ids.length > max ? null : ids);
        expect(ids.every((id) => id >= 0 && id < tokenizer.vocabSize)).toBe(true);
      }),
    );
  });

  it('takes as long for a hostile text as for any other of its length', async () => {
    const tokenizer = await WordPieceTokenizer.read(path());
    const begin = performance.now();
    // Each word can be begun, and never ended.
    tokenizer.encode(`${'a'.repeat(29)}§ `.repeat(10_000));
    expect(performance.now() - begin).toBeLessThan(2_000);
  });

  it('takes unpaired surrogates for control characters', async () => {
    const tokenizer = await WordPieceTokenizer.read(path());
    expect(tokenizer.encode('c\ud83dat')).toEqual(tokenizer.encode('cat'));
  });

  it('leaves case and accents where the file says so', async () => {
    await edit((json) => (json.normalizer = { ...json.normalizer, lowercase: false, strip_accents: false }));
    const tokenizer = await WordPieceTokenizer.read(path());
    expect(tokenizer.encode('cat Cat')).toEqual([2, 6, 1, 3]);
  });

  it('reads the special tokens of BertProcessing', async () => {
    await edit((json) => (json.post_processor = { type: 'BertProcessing', cls: ['[CLS]', 2], sep: ['[SEP]', 3] }));
    expect((await WordPieceTokenizer.read(path())).encode('cat')).toEqual([2, 6, 3]);
  });

  it.each<[string, (json: Json) => void, RegExp]>([
    ['another model', (json) => (json.model = { type: 'Unigram' }), /its model is "Unigram", expected WordPiece/],
    ['another normalizer', (json) => (json.normalizer = { type: 'NFKC' }), /its normalizer is "NFKC"/],
    ['no normalizer', (json) => (json.normalizer = null), /its normalizer is missing/],
    [
      'another post-processor',
      (json) => (json.post_processor = { type: 'ByteLevel' }),
      /its post_processor is "ByteLevel"/,
    ],
    ['a template without a text', (json) => (json.post_processor.single = []), /no template of one text/],
    ['an unknown special token', (json) => (json.post_processor.special_tokens = {}), /no template of one text/],
    ['no unknown token', (json) => (json.model.unk_token = '<?>'), /lacks the unknown token "<\?>"/],
    ['a vocabulary of texts', (json) => (json.model.vocab = { a: 'b' }), /model\.vocab is not a map/],
  ])('refuses %s', async (_name, change, reason) => {
    await edit(change);
    await expect(WordPieceTokenizer.read(path())).rejects.toThrow(reason);
  });
});

interface Json {
  model: Record<string, unknown>;
  normalizer: Record<string, unknown> | null;
  post_processor: Record<string, unknown>;
}
