import { execFileSync } from 'node:child_process';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { openBaseModel } from './base-model.js';
import { BaseModelFolders } from './base-model-folders.js';
import { readLlamaConfig } from './config/read-config.js';
import { toConfigJson, writeRandomLlama } from './random-llama.fixture.js';
import { useTempFolder } from './temp-folder.fixture.js';
import { byteLevelTokenizer } from './tokenizer/byte-level-tokenizer.fixture.js';
import { assertWeightsFit } from './weights/weights.js';

const folder = useTempFolder();
const path = (name: string) => join(folder(), 'x', name);

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const write = (name: string, content: object | string) =>
  writeFile(path(name), typeof content === 'string' ? content : JSON.stringify(content));

async function changeConfig(fields: object): Promise<void> {
  const config = await readLlamaConfig(path(''));
  await write('config.json', { ...toConfigJson(config), ...fields });
}

/** A file of that size that takes no room on the disk. */
async function writeHoles(name: string, bytes: number): Promise<void> {
  const file = await open(path(name), 'w');
  await file.truncate(bytes);
  await file.close();
}

const changeTokenizer = (fields: object) => write('tokenizer.json', { ...byteLevelTokenizer(), ...fields });
const added = (contents: string[]) => contents.map((content, id) => ({ id, content, special: true }));
const index = (file: unknown) => ({ weight_map: { 'model.norm.weight': file } });

async function onlyIndex(file: unknown): Promise<void> {
  await rm(path('model.safetensors'));
  await write('model.safetensors.index.json', index(file));
}

/** A safetensors file with this header, and no data. */
async function onlyHeader(header: string, claimed = BigInt(Buffer.byteLength(header))): Promise<void> {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(claimed);
  await writeFile(path('model.safetensors'), Buffer.concat([length, Buffer.from(header)]));
}

const HUGE = 2 ** 53 - 1;
const CASES: [what: string, spoil: () => Promise<unknown> | unknown, message: RegExp][] = [
  [
    'a tokenizer larger than any',
    () => writeHoles('tokenizer.json', 2 ** 33),
    /tokenizer\.json: it has 8589934592 bytes/,
  ],
  ['a configuration of gigabytes', () => writeHoles('config.json', 2 ** 31), /config\.json: it has 2147483648 bytes/],
  ['a template of gigabytes', () => writeHoles('chat_template.jinja', 2 ** 32), /chat_template\.jinja: it has/],
  [
    'JSON in JSON without end',
    () => write('config.json', `{"a": ${nested(500_000)}}`),
    /config\.json: it is nested more/,
  ],
  [
    'a pre-tokenizer in pre-tokenizers without end',
    () =>
      write(
        'tokenizer.json',
        JSON.stringify(byteLevelTokenizer()).replace('"normalizer":null', `"normalizer":${nested(9999)}`),
      ),
    /tokenizer\.json: it is nested more/,
  ],
  [
    'a marker of a million characters',
    () => changeTokenizer({ added_tokens: added(['x'.repeat(1e6)]) }),
    /a token of 1000000 characters/,
  ],
  [
    'markers without end',
    () => changeTokenizer({ added_tokens: added(Array.from({ length: 1e5 }, (_, id) => `<|marker ${id}|>`)) }),
    /added_tokens has tokens of/,
  ],
  ['an id beyond memory', () => changeTokenizer({ added_tokens: [{ id: HUGE, content: '<|a|>' }] }), /added_tokens/],
  [
    'a pattern that is none',
    () => changeTokenizer({ pre_tokenizer: { type: 'Split', pattern: { Regex: '(' }, behavior: 'Isolated' } }),
    /tokenizer\.json/,
  ],
  [
    'layers without end',
    () => changeConfig({ num_hidden_layers: HUGE }),
    /num_hidden_layers is 9007199254740991, expected at most/,
  ],
  [
    'more layers than memory',
    () => changeConfig({ num_hidden_layers: 5e7, hidden_size: 2, intermediate_size: 1 }),
    /num_hidden_layers is 50000000/,
  ],
  ['a vocabulary without end', () => changeConfig({ vocab_size: HUGE }), /vocab_size is 9007199254740991/],
  ['a width without end', () => changeConfig({ hidden_size: HUGE }), /allowed are/],
  [
    'an architecture of a million names',
    () => changeConfig({ architectures: Array(1e6).fill('x') }),
    /the architecture is \["x","x".{0,700}$/,
  ],
  [
    'a shard that leads out of the folder',
    () => onlyIndex('../../secret.safetensors'),
    /weight_map names "\.\.\/\.\.\/secret/,
  ],
  ['a shard with an absolute path', () => onlyIndex('/etc/passwd'), /weight_map names "\/etc\/passwd"/],
  ['a shard with a null character', () => onlyIndex('a\0b.safetensors'), /weight_map names/],
  ['a shard that is no text', () => onlyIndex({ toString: 1 }), /weight_map names/],
  ['a header longer than the file', () => onlyHeader('{}', 2n ** 63n), /its header claims 9223372036854775808 bytes/],
  [
    'a tensor of 2^53 numbers',
    () => onlyHeader(`{"model.norm.weight":{"dtype":"F32","shape":[${HUGE}],"data_offsets":[0,4]}}`),
    /its shape needs/,
  ],
  [
    'a pipe for a tokenizer',
    async () => {
      await rm(path('tokenizer.json'));
      execFileSync('mkfifo', [path('tokenizer.json')]);
    },
    /tokenizer\.json: it is no file/,
  ],
  [
    'a folder for a tokenizer',
    async () => {
      await rm(path('tokenizer.json'));
      await mkdir(path('tokenizer.json'));
    },
    /tokenizer\.json: it is no file/,
  ],
];

describe('a model folder with', () => {
  it.each(CASES)('%s is refused by the file, and beside it others are served', async (_, spoil, message) => {
    await writeRandomLlama(path(''));
    await writeRandomLlama(join(folder(), 'y'));
    await spoil();
    const refusal = {
      code: expect.stringMatching(/^engine\.base_model/) as unknown,
      message: expect.stringMatching(message) as unknown,
    };
    const opened = openBaseModel(path('')).then((model) => assertWeightsFit(model.directory, model.config));
    await expect(opened).rejects.toMatchObject(refusal);
    const scan = await new BaseModelFolders({ bundledDir: folder() }).scan();
    expect(scan).toEqual({ ids: ['y'], refused: [{ id: 'x', reason: expect.stringMatching(message) as unknown }] });
    expect(scan.refused[0]!.reason.length).toBeLessThan(600);
  });
});

describe('a chat template that', () => {
  const users = [{ role: 'user', content: 'hi' }];
  it.each([
    [
      'loops in loops',
      '{% for a in range(999) %}{% for b in range(999) %}{{ a }}{% endfor %}{% endfor %}',
      /too many steps/,
    ],
    ['counts without end', '{% for a in range(1000000000000) %}{% endfor %}', /a list of 1000000000000 items/],
    [
      'counts under another name',
      '{% set r = range %}{{ r(0, 1000000000000, 3) | length }}',
      /a list of 333333333334 items/,
    ],
    [
      'doubles a text',
      `{% set n = namespace(s='x') %}{% for a in range(60) %}{% set n.s = n.s ~ n.s %}{% endfor %}{{ n.s }}`,
      /goes through more than \d+ characters/,
    ],
    [
      'makes a long text again and again',
      `{% set n = namespace(s='x') %}{% for a in range(18) %}{% set n.s = n.s ~ n.s %}{% endfor %}` +
        '{% for a in range(9999) %}{% if n.s | upper %}{% endif %}{% endfor %}',
      /goes through more than \d+ characters/,
    ],
    [
      'doubles a list',
      `{% set n = namespace(s=[1]) %}{% for a in range(60) %}{% set n.s = n.s + n.s %}{% endfor %}{{ n.s | length }}`,
      /a list of more than/,
    ],
    ['calls itself', '{% macro f(g) %}{{ g(g) }}{% endmacro %}{{ f(f) }}', /too large or too deeply nested|call stack/],
    ['has a sum of a hundred thousand terms', `{{ ${'1+'.repeat(100_000)}1 }}`, /not valid|nested/],
    ['has a million characters', ' '.repeat(1_100_000), /1100000 characters, expected at most/],
  ])('%s fails the request', async (_, template, message) => {
    await writeRandomLlama(path(''));
    await write('tokenizer_config.json', { chat_template: template });
    const { chatTemplate } = await openBaseModel(path(''));
    const refusal = { code: 'engine.chat_template_failed', message: expect.stringMatching(message) as unknown };
    const failure = (() => {
      try {
        return chatTemplate.encodeChat(users);
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toMatchObject(refusal);
  });

  it('is long, but only as long as its conversation, is rendered', async () => {
    await writeRandomLlama(path(''));
    const template = '{% for m in messages %}{% for n in range(100) %}{{ n }}{% endfor %}{{ m.content }}{% endfor %}';
    await write('tokenizer_config.json', { chat_template: template });
    const { chatTemplate } = await openBaseModel(path(''));
    const messages = Array.from({ length: 500 }, () => ({ role: 'user', content: 'x' }));
    expect(chatTemplate.renderText(messages)).toHaveLength(500 * 191);
  });

  it('looks at a long text many times is rendered', async () => {
    await writeRandomLlama(path(''));
    const template =
      '{% for m in messages %}{% if m.content is string and m.content | trim %}' +
      "{% set parts = m.content.split('</think>') %}{{ parts[-1].lstrip('\n').rstrip('\n') | trim }}" +
      '{% endif %}{% endfor %}';
    await write('tokenizer_config.json', { chat_template: template });
    const { chatTemplate } = await openBaseModel(path(''));
    const content = 'x'.repeat(4 << 20);
    expect(chatTemplate.renderText([{ role: 'user', content }])).toHaveLength(content.length);
  });
});
