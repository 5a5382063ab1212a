import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { until } from '@hone/testing';
import { EXPECTED_FILE, type ExpectedOfEncoder, TINY_TOKENS, writeTinyEncoder } from '@hone/testing/tiny-encoder';
import OpenAI from 'openai';

import { type GatewayOnFolder, startGatewayOnFolder } from '../../../e2e/models-folder.fixture.js';
import { MeteringService } from '../../../metering/recording/metering.service.js';

describe('embeddings of the embedded engine', () => {
  let gateway: GatewayOnFolder;
  let client: OpenAI;
  let expected: ExpectedOfEncoder;
  beforeAll(async () => {
    expected = JSON.parse(await readFile(EXPECTED_FILE, 'utf8')) as ExpectedOfEncoder;
    gateway = await startGatewayOnFolder(async (folder) => {
      await writeTinyEncoder(join(folder, 'mean'));
      await writeTinyEncoder(join(folder, 'acme/cls'), { pooling: 'cls', maxSeqLength: 8 });
      await writeTinyEncoder(join(folder, 'doll'), { config: { matryoshka_dimensions: [8, 16] } });
    });
    await gateway.app.listen(0, '127.0.0.1');
    client = new OpenAI({ baseURL: `${await gateway.app.getUrl()}/v1`, apiKey: gateway.writer.key, maxRetries: 0 });
  });
  afterAll(() => gateway.close());

  const embed = (body: object) => gateway.caller.post('/v1/embeddings', { model: 'mean', ...body });
  const vectorsOf = async (body: object): Promise<number[][]> =>
    (await embed(body)).json().data.map(({ embedding }: { embedding: number[] }) => embedding);

  it('are those of onnxruntime, by the client openai, in order', async () => {
    const texts = expected.embeddings.map(({ text }) => text);
    const { data, usage, model } = await client.embeddings.create({ model: 'mean', input: texts });
    expect(data.map(({ index }) => index)).toEqual(texts.map((_text, at) => at));
    expect(distance(vectors(data), meansOf(expected))).toBeLessThan(1e-5);
    const tokens = expected.embeddings.reduce((sum, { ids }) => sum + ids.length, 0);
    expect([usage, model]).toEqual([{ prompt_tokens: tokens, total_tokens: tokens }, 'mean']);
  });

  it('of one input at a time are the same as of all at once', async () => {
    const texts = expected.embeddings.map(({ text }) => text);
    const single = await Promise.all(texts.map(async (input) => (await vectorsOf({ input }))[0] as number[]));
    expect(distance(single, await vectorsOf({ input: texts }))).toBeLessThan(1e-5);
  });

  it('are those of the first token where the folder says so', async () => {
    const { text, cls } = expected.embeddings[1] as ExpectedOfEncoder['embeddings'][number];
    expect(distance(await vectorsOf({ model: 'acme/cls', input: text }), [cls])).toBeLessThan(1e-5);
  });

  it('of token ids are those of their text', async () => {
    const rows = expected.embeddings.map(({ ids }) => ids);
    expect(distance(await vectorsOf({ input: rows }), meansOf(expected))).toBeLessThan(1e-5);
    expect(distance(await vectorsOf({ input: rows[0] }), meansOf(expected).slice(0, 1))).toBeLessThan(1e-5);
  });

  it('come as lists or as base64, with the same numbers', async () => {
    const [list] = await vectorsOf({ input: 'the cat' });
    const { json } = await embed({ input: 'the cat', encoding_format: 'base64' });
    const bytes = Buffer.from(json().data[0].embedding, 'base64');
    const floats = new Float32Array(new Uint8Array(bytes).buffer);
    expect(Float32Array.from(list as number[])).toEqual(floats);
    expect(Math.hypot(...floats)).toBeCloseTo(1, 6);
  });

  it('are cut to the lengths that a model declares, and have the length 1 then', async () => {
    const [whole] = await vectorsOf({ model: 'doll', input: 'the cat' });
    const [cut] = await vectorsOf({ model: 'doll', input: 'the cat', dimensions: 8 });
    const kept = (whole as number[]).slice(0, 8);
    const norm = Math.hypot(...kept);
    expect(distance([cut as number[]], [kept.map((value) => value / norm)])).toBeLessThan(1e-6);
  });

  it.each([
    ['another length than the model has', { dimensions: 8 }, 'unsupported_parameter', ['dimensions']],
    ['a length that the model does not declare', { model: 'doll', dimensions: 9 }, 'value_error', ['dimensions']],
    ['an unknown token id', { input: [[1], [2, 169]] }, 'value_error', ['input', 1, 1]],
  ])('refuse %s', async (_name, body, type, loc) => {
    const { status, json } = await embed({ input: 'a', ...body });
    expect([status, json().detail]).toEqual([422, [{ loc: ['body', ...loc], msg: expect.any(String), type }]]);
  });

  it('take its own length as `dimensions` of any model', async () => {
    expect((await embed({ input: 'a', dimensions: 24 })).status).toBe(200);
  });

  it.each([
    ['a text', { input: 'cat '.repeat(TINY_TOKENS) }, 'The input has more than the 40 tokens'],
    ['one text of several', { input: ['cat', 'cat '.repeat(TINY_TOKENS)] }, 'Input 1 has more than the 40 tokens'],
    ['token ids', { input: Array(41).fill(5) }, 'The input has more than the 40 tokens'],
    ['more than the folder says', { model: 'acme/cls', input: 'cat '.repeat(7) }, 'more than the 8 tokens'],
    ['megabytes', { input: 'word '.repeat(1_000_000) }, 'The input has more than the 40 tokens'],
  ])('refuse input that is too long: %s', async (_name, body, message) => {
    const { status, json, headers } = await embed(body);
    expect(status).toBe(400);
    expect(json().error).toMatchObject({ code: 'context_length_exceeded', param: 'input' });
    expect(json().error.message).toContain(message);
    expect(headers['x-should-retry']).toBe('false');
  });

  it('take the longest text that fits', async () => {
    const { status, json } = await embed({ input: 'cat '.repeat(TINY_TOKENS - 2) });
    expect([status, json().usage?.prompt_tokens]).toEqual([200, TINY_TOKENS]);
  });

  it('are made of hostile Unicode as of any other text', async () => {
    const texts = expected.tokens.filter(({ text, ids }) => text !== '' && ids.length <= TINY_TOKENS);
    const { json } = await embed({ input: texts.map(({ text }) => text) });
    expect(json().usage.prompt_tokens).toBe(texts.reduce((sum, { ids }) => sum + ids.length, 0));
  });

  it('are listed, and are no chats', async () => {
    expect(await gateway.listed()).toEqual(['hone-tiny', 'acme/cls', 'doll', 'mean']);
    const { status, json } = await gateway.ask('mean');
    expect([status, json().error.code]).toEqual([404, 'model_not_found']);
    expect(json().error.message).toContain('These do: hone-tiny.');
    const wrong = await embed({ model: 'hone-tiny', input: 'a' });
    expect([wrong.status, wrong.json().error.code]).toEqual([404, 'model_not_found']);
    expect(wrong.json().error.message).toContain('These do: acme/cls, doll, mean.');
  });

  it('are booked under the model', async () => {
    const { headers } = await embed({ input: ['hello world', 'cat'] });
    const id = String(headers['hone-call']).split('/').at(-1);
    await gateway.app.get(MeteringService).flush();
    const [row] = await gateway.sql(`SELECT prompt_tokens, completion_tokens FROM usage_records WHERE rid = '${id}'`);
    expect(row).toEqual({ prompt_tokens: 7, completion_tokens: 0 });
  });

  it('of 2,048 texts keep the event loop free', async () => {
    await embed({ input: 'warm' });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const { status, json } = await embed({ input: Array(2_048).fill('the cat sat on a mat') });
    delay.disable();
    expect([status, json().data.length]).toEqual([200, 2_048]);
    expect(delay.max / 1e6).toBeLessThan(200);
  });

  describe('of a model whose files change', () => {
    afterEach(() => rm(join(gateway.folder, 'late'), { recursive: true, force: true }));

    it('are those of the new files', async () => {
      const { folder } = gateway;
      const { text, mean, cls } = expected.embeddings[0] as ExpectedOfEncoder['embeddings'][number];
      await writeTinyEncoder(join(folder, '.staging'));
      await rename(join(folder, '.staging'), join(folder, 'late'));
      expect(distance(await vectorsOf({ model: 'late', input: text }), [mean])).toBeLessThan(1e-5);
      await rm(join(folder, 'late'), { recursive: true });
      await writeTinyEncoder(join(folder, '.staging'), { pooling: 'cls' });
      await rename(join(folder, '.staging'), join(folder, 'late'));
      await until(async () => {
        const [found] = await vectorsOf({ model: 'late', input: text });
        return distance([found as number[]], [cls]) < 1e-5;
      }, 'the new embeddings');
    });

    it('end with the model', async () => {
      const { folder, listed } = gateway;
      await writeTinyEncoder(join(folder, 'late'));
      expect((await embed({ model: 'late', input: 'a' })).status).toBe(200);
      await rm(join(folder, 'late'), { recursive: true });
      await until(async () => !(await listed()).includes('late'), 'the list without the model');
      expect((await embed({ model: 'late', input: 'a' })).status).toBe(404);
      expect((await embed({ input: 'a' })).status).toBe(200);
    });

    it('become chats when a model that writes takes the name', async () => {
      const { folder, ask } = gateway;
      await writeTinyEncoder(join(folder, 'late'));
      expect((await embed({ model: 'late', input: 'a' })).status).toBe(200);
      await rm(join(folder, 'late'), { recursive: true });
      await cp(HONE_TINY, join(folder, '.staging'), { recursive: true });
      await rename(join(folder, '.staging'), join(folder, 'late'));
      await until(async () => (await ask('late')).status === 200, 'a chat');
      expect((await embed({ model: 'late', input: 'a' })).status).toBe(404);
    });
  });

  it.each([
    ['no tokenizer', (folder: string) => rm(join(folder, 'tokenizer.json')), /tokenizer\.json: the file is missing/],
    ['no graph', (folder: string) => rm(join(folder, 'onnx'), { recursive: true }), /optimum-cli export onnx/],
    [
      'a damaged graph',
      (folder: string) => replace(folder, 'onnx/model.onnx', 'no graph'),
      /no graph that can be opened/,
    ],
    [
      'another width',
      (folder: string) => edit(folder, 'config.json', { hidden_size: 32 }),
      /\[2, 3, 24\], expected \[2, 3, 32\]/,
    ],
    ['more tokens', (folder: string) => edit(folder, 'config.json', { vocab_size: 200 }), /cannot be computed/],
    [
      'fewer tokens',
      (folder: string) => edit(folder, 'config.json', { vocab_size: 100 }),
      /169 tokens, config\.json allows 100/,
    ],
  ])('of a folder with %s are refused with the reason, and other models answer', async (_name, damage, reason) => {
    const { folder } = gateway;
    await writeTinyEncoder(join(folder, '.staging'));
    await damage(join(folder, '.staging'));
    await mkdir(join(folder, 'broken'), { recursive: true });
    await rename(join(folder, '.staging'), join(folder, 'broken/one'));
    try {
      const { status, json } = await embed({ model: 'broken/one', input: 'a' });
      expect([status, json().error.code]).toEqual([503, 'base_model_not_served']);
      expect(json().error.message).toMatch(reason);
      expect(json().error.message).not.toContain(folder);
      expect((await embed({ input: 'a' })).status).toBe(200);
    } finally {
      await rm(join(folder, 'broken'), { recursive: true });
    }
  });
});

const HONE_TINY = join(import.meta.dirname, '../../../../../../models/hone-tiny');

const vectors = (data: readonly OpenAI.Embedding[]): number[][] => data.map(({ embedding }) => embedding);
const meansOf = ({ embeddings }: ExpectedOfEncoder): number[][] => embeddings.map(({ mean }) => mean);

/** The largest difference of two numbers at the same place; NaN: there are more or fewer. */
function distance(found: readonly (readonly number[])[], wanted: readonly (readonly number[])[]): number {
  if (found.length !== wanted.length) return NaN;
  const rows = wanted.map((row, at) => {
    const other = found[at] as readonly number[];
    return other.length === row.length
      ? Math.max(...row.map((value, index) => Math.abs(value - (other[index] ?? NaN))))
      : NaN;
  });
  return Math.max(...rows);
}

async function replace(folder: string, file: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), content);
}

async function edit(folder: string, file: string, fields: object): Promise<void> {
  const before = JSON.parse(await readFile(join(folder, file), 'utf8')) as object;
  await replace(folder, file, JSON.stringify({ ...before, ...fields }));
}
