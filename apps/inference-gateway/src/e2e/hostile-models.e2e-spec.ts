import { cp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { until } from '@hone/testing';

import { BUNDLED_MODELS } from '../targets/embedded/embedded-models.js';
import { type GatewayOnFolder, startGatewayOnFolder } from './models-folder.fixture.js';

describe('files of a model that mean harm, put into the folder of a gateway that serves', () => {
  let gateway: GatewayOnFolder;
  beforeAll(async () => {
    gateway = await startGatewayOnFolder();
  });
  afterAll(() => gateway.close());

  const path = (...names: string[]) => join(gateway.folder, ...names);
  async function expectOthersServed(): Promise<void> {
    const answer = await gateway.ask('hone-tiny');
    expect([answer.status, answer.json().choices[0].message.content]).toEqual([200, 'cat']);
  }

  /** A copy of the bundled model that is changed before the gateway can see it. */
  async function drop(id: string, spoil: (directory: string) => Promise<void>): Promise<void> {
    await cp(join(BUNDLED_MODELS, 'hone-tiny'), path(`.${id}`), { recursive: true });
    await spoil(path(`.${id}`));
    await cp(path(`.${id}`), path(id), { recursive: true });
    await rm(path(`.${id}`), { recursive: true });
  }

  const number = (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(value);
    return bytes;
  };
  /** Version 3, one tensor `a` of 2 x 2^63 numbers of a type, no metadata. */
  const gguf = (type: number): Buffer => {
    const head = [Buffer.from('GGUF\x03\0\0\0', 'latin1'), number(1n), number(0n), number(1n), Buffer.from('a')];
    return Buffer.concat([
      ...head,
      Buffer.of(2, 0, 0, 0),
      number(2n),
      number(2n ** 63n),
      Buffer.of(type, 0, 0, 0),
      number(0n),
    ]);
  };
  async function asGguf(directory: string, bytes: Buffer): Promise<void> {
    await rm(join(directory, 'model.safetensors'));
    await writeFile(join(directory, 'model.gguf'), bytes);
  }

  it.each<[id: string, spoil: (directory: string) => Promise<void>, reason: RegExp]>([
    [
      'deep',
      (at) => writeFile(join(at, 'config.json'), `{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}`),
      /config\.json: it is nested/,
    ],
    [
      'layers',
      (at) => changeJson(join(at, 'config.json'), { num_hidden_layers: 5e7 }),
      /num_hidden_layers is 50000000/,
    ],
    ['vast', (at) => asGguf(at, gguf(0)), /model\.gguf: \\?"a\\?": 2 x 9223372036854775808 numbers/],
    ['unknown', (at) => asGguf(at, gguf(77)), /model\.gguf: \\?"a\\?": tensors of type 77 are not read/],
    ['short', (at) => asGguf(at, gguf(0).subarray(0, 30)), /model\.gguf: at byte/],
    ['cut', (at) => truncate(join(at, 'model.safetensors'), 100_000), /model\.safetensors/],
    [
      'marker',
      (at) => changeJson(join(at, 'tokenizer.json'), { added_tokens: [{ id: 1, content: 'x'.repeat(1e6) }] }),
      /added_tokens has/,
    ],
  ])('%s: is not listed, the log names file and reason, and others are served', async (id, spoil, reason) => {
    await drop(id, spoil);
    const refusals = () =>
      gateway
        .log()
        .split('\n')
        .filter((line) => line.includes(`The base model ${id} is not served`));
    await until(async () => refusals().length > 0, 'the refusal in the log');
    expect(refusals()[0]).toMatch(reason);
    expect(await gateway.listed()).not.toContain(id);
    expect((await gateway.ask(id)).status).toBe(503);
    await expectOthersServed();
  });

  it('weights that are no numbers fail the request that asks for them', async () => {
    await drop('nan', async (at) => {
      const file = await open(join(at, 'model.safetensors'), 'r+');
      const { size } = await file.stat();
      await file.write(Buffer.alloc(4096, 0xff), 0, 4096, size - 4096);
      await file.close();
    });
    await until(async () => (await gateway.listed()).includes('nan'), 'the model in the list');
    const answer = await gateway.ask('nan');
    expect([answer.status, answer.json().error.code]).toEqual([503, 'base_model_not_served']);
    await expectOthersServed();
  });

  it('a template without end fails the request that renders it', async () => {
    const template = '{% for a in range(9999) %}{% for b in range(9999) %}{{ b }}{% endfor %}{% endfor %}';
    await drop('loops', (at) => writeFile(join(at, 'chat_template.jinja'), template));
    await until(async () => (await gateway.listed()).includes('loops'), 'the model in the list');
    const answer = await gateway.ask('loops');
    expect([answer.status, answer.text]).toEqual([422, expect.stringMatching(/too many steps/)]);
    await expectOthersServed();
  });
});

async function changeJson(file: string, fields: object): Promise<void> {
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...fields }));
}
