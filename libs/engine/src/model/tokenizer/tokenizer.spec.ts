import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';

import { useTempFolder } from '../temp-folder.fixture.js';
import { byteLevelTokenizer, FIXTURE_TOKENS } from './byte-level-tokenizer.fixture.js';
import { sentencePieceTokenizer } from './sentencepiece-tokenizer.fixture.js';
import { ModelTokenizer } from './tokenizer.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const folder = useTempFolder();
const { bos, end, user } = FIXTURE_TOKENS;

async function read(json: object): Promise<ModelTokenizer> {
  await writeFile(join(folder(), 'tokenizer.json'), JSON.stringify(json));
  return ModelTokenizer.read(folder());
}

/** Decoded through the text of a stream, piece by piece. */
function decodeInPieces(tokenizer: ModelTokenizer, ids: readonly number[]): string[] {
  const text = tokenizer.incrementalText({ skipSpecialTokens: false });
  return [...ids.map((id) => text.push(id)), text.end()];
}

describe('a byte-level tokenizer', () => {
  it('gives the ids that the tokenizers library gives', async () => {
    const json = byteLevelTokenizer();
    const tokenizer = await read(json);
    const text = "hello world, it's a häß 日本 🙂\n\n  end 123";
    expect(tokenizer.encode(text)).toEqual(new Tokenizer(json, {}).encode(text).ids);
  });

  it('brings back any text', async () => {
    const tokenizer = await read(byteLevelTokenizer());
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
      }),
    );
  });

  it.each([
    ['pre_tokenizer', { type: 'Split', pattern: { Regex: '(a+)+$|[^!]' }, behavior: 'Isolated', invert: false }],
    ['normalizer', { type: 'Replace', pattern: { Regex: '(a+)+$' }, content: 'b' }],
  ])('gives up a text for which a pattern of its %s takes days', async (part, step) => {
    const json = byteLevelTokenizer();
    const { pre_tokenizer } = json;
    const steps = part === 'pre_tokenizer' ? { type: 'Sequence', pretokenizers: [step, pre_tokenizer] } : step;
    const tokenizer = await read({ ...json, [part]: steps });
    const message = /tokenizer\.json: its patterns take over 1001 ms to cut a text of 61 characters\.$/;
    expect(() => tokenizer.encode(`${'a'.repeat(60)}!`)).toThrow(message);
    expect(tokenizer.decode(tokenizer.encode('hello!'))).toBe('hello!');
  });

  it('takes markers in a text for text', async () => {
    const tokenizer = await read(byteLevelTokenizer());
    expect(tokenizer.encode('<|end|>')).not.toContain(end);
    expect(tokenizer.decode(tokenizer.encode('a<|end|>b'))).toBe('a<|end|>b');
  });

  it('takes them for control tokens where it is asked to', async () => {
    const tokenizer = await read(byteLevelTokenizer());
    const [h] = tokenizer.encode('h');
    expect(tokenizer.encodeWithControls('<|bos|><|user|>h<|end|>')).toEqual([bos, user, h, end]);
  });

  it('has no control token for a word that is one, even where words are taken whole', async () => {
    const json = byteLevelTokenizer() as { model: { vocab: Record<string, number> } };
    Object.assign(json.model, { ignore_merges: true, vocab: { ...json.model.vocab, stop: 270 } });
    const added = [{ id: 270, content: 'stop', special: true, normalized: false }];
    const tokenizer = await read({ ...json, added_tokens: added });
    expect(tokenizer.encode('stop')).not.toContain(270);
    expect(tokenizer.encodeWithControls('stop')).toEqual([270]);
  });

  it('knows the exact bytes of each token', async () => {
    const tokenizer = await read(byteLevelTokenizer());
    for (let byte = 0; byte < 256; byte++) expect([...tokenizer.tokenBytes(byte)]).toEqual([byte]);
    const world = tokenizer.idOf('Ġwor')!;
    expect(Buffer.from(tokenizer.tokenBytes(world)).toString()).toBe(' wor');
    expect(Buffer.from(tokenizer.tokenBytes(end)).toString()).toBe('<|end|>');
  });

  it('has no bytes and no text for an id that names no token', async () => {
    const tokenizer = await read(byteLevelTokenizer());
    expect([tokenizer.tokenBytes(9_999).length, tokenizer.tokenText(9_999), tokenizer.entry(9_999)]).toEqual([
      0,
      '',
      null,
    ]);
  });

  it('counts its ids', async () => {
    expect((await read(byteLevelTokenizer())).vocabSize).toBe(270);
  });

  it('leaves control tokens out of the text, or shows them', async () => {
    const tokenizer = await read(byteLevelTokenizer());
    const ids = [bos, user, ...tokenizer.encode('hi'), end];
    expect(tokenizer.decode(ids)).toBe('hi');
    expect(tokenizer.decode(ids, { skipSpecialTokens: false })).toBe('<|bos|> <|user|>hi<|end|>');
    const tight = { skipSpecialTokens: false, spacesBetweenSpecialTokens: false };
    expect(tokenizer.decode(ids, tight)).toBe('<|bos|><|user|>hi<|end|>');
  });

  it('adds what the tokenizer puts around a text', async () => {
    const begin = { SpecialToken: { id: '<|bos|>', type_id: 0 } };
    const text = { Sequence: { id: 'A', type_id: 0 } };
    const post_processor = {
      type: 'TemplateProcessing',
      single: [begin, text],
      pair: [begin, text],
      special_tokens: { '<|bos|>': { id: '<|bos|>', ids: [bos], tokens: ['<|bos|>'] } },
    };
    expect((await read({ ...byteLevelTokenizer(), post_processor })).addSpecialTokens([1, 2])).toEqual([bos, 1, 2]);
    expect((await read(byteLevelTokenizer())).addSpecialTokens([1, 2])).toEqual([1, 2]);
  });
});

describe('text that comes token by token', () => {
  it('holds a character back until its last byte', async () => {
    const tokenizer = await read(byteLevelTokenizer());
    const ids = [...Buffer.from('é🙂')];
    expect(decodeInPieces(tokenizer, ids)).toEqual(['', 'é', '', '', '', '🙂', '']);
  });

  it('gives up on a character as soon as it cannot be completed', async () => {
    const tokenizer = await read(byteLevelTokenizer());
    expect(decodeInPieces(tokenizer, [0xf0, 0x9f, 0x61])).toEqual(['', '', '\uFFFDa', '']);
    expect(decodeInPieces(tokenizer, [0xf0, 0x9f])).toEqual(['', '', '\uFFFD']);
    expect(decodeInPieces(tokenizer, [0xf0, end, 0x9f])).toEqual(['', '\uFFFD<|end|>', '\uFFFD', '']);
  });

  it('is in whole characters, and joined is what UTF-8 says of all bytes', async () => {
    const tokenizer = await read(byteLevelTokenizer());
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const pieces = decodeInPieces(tokenizer, [...bytes]);
        expect(pieces.join('')).toBe(Buffer.from(bytes).toString('utf8'));
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('a SentencePiece tokenizer', () => {
  it('writes blanks and bytes as text', async () => {
    const tokenizer = await read(sentencePieceTokenizer());
    const ids = tokenizer.encode('hello wörld');
    expect(ids.map((id) => tokenizer.entry(id))).toEqual(['▁hello', '▁', 'w', '<0xC3>', '<0xB6>', 'r', 'l', 'd']);
    expect(tokenizer.decode(ids)).toBe('hello wörld');
  });

  it('decodes as the tokenizers library does', async () => {
    const json = sentencePieceTokenizer();
    const tokenizer = await read(json);
    const ids = tokenizer.encode(' hello  wörld ');
    expect(tokenizer.decode(ids)).toBe(new Tokenizer(json, {}).decode(ids, { clean_up_tokenization_spaces: false }));
  });

  it('knows the exact bytes of each token', async () => {
    const tokenizer = await read(sentencePieceTokenizer());
    const bytes = (entry: string): number[] => [...tokenizer.tokenBytes(tokenizer.idOf(entry)!)];
    expect(bytes('<0xC3>')).toEqual([0xc3]);
    expect(bytes('▁hello')).toEqual([...Buffer.from(' hello')]);
    expect(bytes('</s>')).toEqual([...Buffer.from('</s>')]);
  });

  it('puts a blank before the first text only, where its rule says so', async () => {
    const pre_tokenizer = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first', split: false };
    const tokenizer = await read({ ...sentencePieceTokenizer(), normalizer: null, pre_tokenizer });
    const entries = (ids: number[]): (string | null)[] => ids.map((id) => tokenizer.entry(id));
    expect(entries(tokenizer.encodeWithControls('hello</s>hello'))).toEqual(['▁hello', '</s>', 'hello']);
  });
});

describe('a tokenizer that cannot be used', () => {
  const damaged = 'engine.base_model_damaged';
  const unsupported = 'engine.base_model_unsupported';

  it.each([
    ['another model', { model: { type: 'Unigram', vocab: [] } }, unsupported, /its model is "Unigram", expected BPE/],
    ['another decoder', { decoder: { type: 'WordPiece', prefix: '##' } }, unsupported, /WordPiece.* is not supported/],
    ['no decoder', { decoder: null }, unsupported, /decoder null is not supported/],
    ['no model', { model: null }, damaged, /model is missing/],
    ['ids that are no numbers', { model: { type: 'BPE', vocab: { a: 'x' }, merges: [] } }, damaged, /model\.vocab/],
    ['huge ids', { model: { type: 'BPE', vocab: { a: 2 ** 30 }, merges: [] } }, damaged, /model\.vocab/],
    ['merges of three', { model: { type: 'BPE', vocab: {}, merges: ['a b c'] } }, damaged, /model\.merges/],
    ['an added token without text', { added_tokens: [{ id: 1 }] }, damaged, /added_tokens/],
    ['a normalizer of no known kind', { normalizer: { type: 'Nope' } }, damaged, /can be loaded/],
  ])('is refused: %s', async (_, change, code, message) => {
    const error = { code, message: expect.stringMatching(message) };
    await expect(read({ ...byteLevelTokenizer(), ...change })).rejects.toMatchObject(error);
  });

  it('is named when it is missing', async () => {
    await expect(ModelTokenizer.read(folder())).rejects.toThrow(/tokenizer\.json: the file is missing/);
  });
});
