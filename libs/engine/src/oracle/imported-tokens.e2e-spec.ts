import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importGguf } from '../gguf-import/index.js';
import { exportGguf } from '../gguf/index.js';
import { openBaseModel } from '../model/index.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import { askLlamaCpp, HAS_LLAMA_CPP } from './llama-cpp.fixture.js';

const HONE_TINY = fileURLToPath(new URL('../../../../models/hone-tiny', import.meta.url));
/** Scripts, digits of several kinds, blanks, line ends, contractions, symbols, code and emoji. */
const CORPUS = [
  "Hello world, it's 2024; they'LL pay $1,234.56 (12345678 times)!",
  '  leading,   inner and trailing blanks   ',
  'tabs\tand\n\nlines\r\n  \n x',
  'Größe, naïve café, Ελληνικά, Русский текст, العربية, עברית, हिन्दी',
  '你好，世界。こんにちは！안녕하세요',
  '٣٤٥ ①②③ Ⅷ ½ 𝟙𝟚',
  'for (let i = 0; i < 10; i++) { a[i] += b["k"] ?? null; } // ~^|`',
  '🙂👩‍👩‍👧‍👦 e\u0301 \u00a0\u2003x \u200b',
];

const folder = useTempFolder();
const described = HAS_LLAMA_CPP ? describe : describe.skip;

/** The bundled model as GGUF, with another name for its pre-tokenizer. */
async function exported(pre: string): Promise<string> {
  const model = await openBaseModel(HONE_TINY);
  const path = join(folder(), 'plain.gguf');
  await exportGguf(model, await model.loadWeights(), path);
  const bytes = await readFile(path);
  const at = bytes.indexOf('tokenizer.ggml.pre') + 'tokenizer.ggml.pre'.length + 4;
  const length = Number(bytes.readBigUInt64LE(at));
  const named = Buffer.alloc(8 + pre.length);
  named.writeBigUInt64LE(BigInt(pre.length));
  named.write(pre, 8);
  // The general.name makes up for the difference in length, so that the data keeps its alignment.
  const head = Buffer.concat([bytes.subarray(0, at), named, bytes.subarray(at + 8 + length)]);
  await writeFile(path, withNameOf(head, length - pre.length));
  return path;
}

/** Makes `general.name` longer by so many characters, or shorter. */
function withNameOf(bytes: Buffer, more: number): Buffer {
  const at = bytes.indexOf('general.name') + 'general.name'.length + 4;
  const length = Number(bytes.readBigUInt64LE(at));
  const name = Buffer.alloc(8 + length + more, 'x');
  name.writeBigUInt64LE(BigInt(length + more));
  return Buffer.concat([bytes.subarray(0, at), name, bytes.subarray(at + 8 + length)]);
}

described('the tokenizer of an imported GGUF file', () => {
  it.each(['gpt-2', 'smollm', 'qwen2', 'llama-bpe', 'default', 'starcoder'])(
    "gives llama.cpp's tokens under the pre-tokenizer %s",
    async (pre) => {
      const path = await exported(pre);
      const { ids } = await askLlamaCpp(path, [], CORPUS);
      const directory = join(folder(), 'imported');
      await importGguf(path, directory);
      const { tokenizer } = await openBaseModel(directory);
      expect(CORPUS.map((text) => tokenizer.encode(text))).toEqual(ids);
    },
    60_000,
  );
});
