import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';

import { writeModelFolder } from './model-folder.js';
import { SPECIAL_TOKENS } from './special-tokens.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const COMMITTED = join(import.meta.dirname, '../../../../models/hone-tiny');

describe('the folder of the bundled model', () => {
  let written: string;
  let tokenizer: Tokenizer;
  beforeAll(async () => {
    written = await mkdtemp(join(tmpdir(), 'hone-tiny-'));
    await writeModelFolder(written);
    const read = async (name: string) => JSON.parse(await readFile(join(written, name), 'utf8')) as object;
    tokenizer = new Tokenizer(await read('tokenizer.json'), await read('tokenizer_config.json'));
  });
  afterAll(() => rm(written, { recursive: true }));

  it('is committed as it is written', async () => {
    for (const name of await readdir(written)) {
      expect(await readFile(join(COMMITTED, name), 'utf8')).toBe(await readFile(join(written, name), 'utf8'));
    }
  });

  it('has a vocabulary of 512 tokens with the ids 0 to 511', () => {
    const ids = [...tokenizer.get_vocab(true).values()].sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 512 }, (_, id) => id));
  });

  it('reads each special token as one id', () => {
    expect(tokenizer.encode(SPECIAL_TOKENS.join('')).ids).toEqual(SPECIAL_TOKENS.map((_, id) => id));
  });

  it('reads and writes any text without loss', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 })), (text) => {
        const { ids } = tokenizer.encode(text, { add_special_tokens: false });
        expect(tokenizer.decode(ids, { skip_special_tokens: false, clean_up_tokenization_spaces: false })).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('cuts numbers into digits and common words into few tokens', () => {
    expect(tokenizer.tokenize('What is 123?')).toEqual(['What', 'Ġis', 'Ġ', '1', '2', '3', '?']);
  });
});
