import { copyFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { writeTinyEncoder } from '@hone/testing/tiny-encoder';

import { openBaseModel } from '../base-model.js';
import { readEmbeddingFolder } from '../embedding/embedding-folder.js';
import { type RandomLlamaOptions, writeRandomLlama } from '../random-llama.fixture.js';
import { useTempFolder } from '../temp-folder.fixture.js';
import { type FakeHub, fakeHub, type Misbehaviour } from './hub.fixture.js';
import { type DownloadProgress, HubClient, type HubClientOptions } from './hub-client.js';
import { fetchHubModel } from './hub-model.js';

const folder = useTempFolder();
const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

/** A hub that has one model, and a client of it. */
async function startHub(
  model: RandomLlamaOptions = {},
  misbehave?: Misbehaviour,
  options: HubClientOptions = {},
): Promise<FakeHub & { fetchModel(id?: string, signal?: AbortSignal): Promise<string> }> {
  await writeRandomLlama(join(folder(), 'hub'), model);
  const hub = fakeHub(join(folder(), 'hub'), misbehave);
  globalThis.fetch = hub.fetch;
  const client = new HubClient({ baseUrl: 'https://hub.test/', ...options });
  return {
    ...hub,
    fetchModel: (id = 'owner/name', signal) => fetchHubModel(id, client, join(folder(), 'cache'), { signal }),
  };
}

const cached = (): Promise<string[]> => readdir(join(folder(), 'cache/owner/name'));

describe('fetchHubModel', () => {
  it.each([
    ['one file of weights', {}],
    ['shards', { shards: 3 }],
  ])('brings a model with %s that can be opened', async (_, model) => {
    const hub = await startHub(model);
    const directory = await hub.fetchModel();
    expect(directory).toBe(join(folder(), 'cache/owner/name'));
    const opened = await openBaseModel(directory);
    await expect(opened.loadWeights()).resolves.toBeDefined();
    expect(await opened.digest()).toBe(await (await openBaseModel(join(folder(), 'hub'))).digest());
  });

  it('leaves no other files behind', async () => {
    await (await startHub()).fetchModel();
    expect(await cached()).toEqual(['config.json', 'model.safetensors', 'tokenizer.json', 'tokenizer_config.json']);
  });

  it('does not take again what is there', async () => {
    const hub = await startHub();
    await hub.fetchModel();
    await rm(join(folder(), 'cache/owner/name/config.json'));
    hub.asked.length = 0;
    await hub.fetchModel();
    expect(hub.asked.filter((path) => path.endsWith('.safetensors'))).toEqual([]);
  });

  it('shows its token to the hub, not to the store that it sends us to', async () => {
    const hub = await startHub({}, undefined, { token: 'secret' });
    await hub.fetchModel();
    const path = '/owner/name/resolve/main/model.safetensors';
    expect(hub.authorization.get(`https://hub.test${path}`)).toBe('Bearer secret');
    expect(hub.authorization.get(`https://store.test${path}`)).toBeNull();
  });
});

describe('a model that embeds texts', () => {
  const startEncoderHub = async () => {
    await writeTinyEncoder(join(folder(), 'hub'), { maxSeqLength: 16 });
    await writeFile(join(folder(), 'hub/model.safetensors'), 'weights in another format');
    const hub = fakeHub(join(folder(), 'hub'));
    globalThis.fetch = hub.fetch;
    const client = new HubClient({ baseUrl: 'https://hub.test/' });
    const fetchModel = () => fetchHubModel('owner/name', client, join(folder(), 'cache'), { maxParams: 1e6 });
    return { ...hub, fetchModel };
  };

  it('comes with its graph and its pooling, and without its weights in other formats', async () => {
    const directory = await (await startEncoderHub()).fetchModel();
    expect(await readEmbeddingFolder(directory)).toMatchObject({ pooling: 'mean', maxTokens: 16 });
    expect((await readdir(directory, { recursive: true })).sort()).toEqual([
      ...['1_Pooling', '1_Pooling/config.json', 'config.json', 'modules.json', 'onnx', 'onnx/model.onnx'],
      ...['sentence_bert_config.json', 'tokenizer.json'],
    ]);
  });

  it('of which the hub has no graph is refused with how to make it', async () => {
    const { fetchModel } = await startEncoderHub();
    await rm(join(folder(), 'hub/onnx'), { recursive: true });
    await expect(fetchModel()).rejects.toThrow('optimum-cli export onnx');
  });
});

describe('a download that broke off', () => {
  /** Sends half of the weights the first time, then breaks off. The hub itself only says where the store is. */
  const breakingOnce: Misbehaviour = (file, content) => {
    if (file !== 'model.safetensors' || ++asked !== 2) return undefined;
    const headers = { 'content-length': String(content.length) };
    return new Response(brokenOff(content.subarray(0, content.length * 0.5)), { headers });
  };
  let asked = 0;
  beforeEach(() => (asked = 0));
  const partOf = async () => (await cached()).find((name) => name.endsWith('.part')) as string;

  it('goes on where it was', async () => {
    const hub = await startHub({}, breakingOnce);
    await expect(hub.fetchModel()).rejects.toMatchObject({ code: 'engine.hub_unavailable' });
    const { size } = await stat(join(folder(), 'cache/owner/name', await partOf()));
    expect(size).toBeGreaterThan(0);
    const directory = await hub.fetchModel();
    expect(hub.ranges).toEqual([`bytes=${size}-`]);
    expect(await cached()).toEqual(['config.json', 'model.safetensors', 'tokenizer.json', 'tokenizer_config.json']);
    await expect((await openBaseModel(directory)).loadWeights()).resolves.toBeDefined();
  });

  it('goes on with what another process left, unless that writes still', async () => {
    const hub = await startHub({}, breakingOnce);
    await expect(hub.fetchModel()).rejects.toMatchObject({ code: 'engine.hub_unavailable' });
    const [own, parent] = [`-${process.pid}-`, `-${process.ppid}-`];
    const name = await partOf();
    const other = join(folder(), 'cache/owner/name', name.replace(own, parent));
    await rename(join(folder(), 'cache/owner/name', name), other);
    const gone = other.replace(parent, '-4194304-');
    await copyFile(other, gone);
    await hub.fetchModel();
    expect(hub.ranges).toHaveLength(1);
    expect(await partOf()).toBe(basename(other));
  });

  it.each<[string, (part: string) => Promise<void>, Misbehaviour]>([
    [
      'other bytes are announced by now',
      (part) => rename(part, part.replace(/[0-9a-f]{64}/, 'f'.repeat(64))),
      () => undefined,
    ],
    ['what was there is not what it was', (part) => writeFile(part, 'no weights'), () => undefined],
    [
      'it is whole but for its name',
      (part) => copyFile(join(folder(), 'hub/model.safetensors'), part),
      () => undefined,
    ],
    ['the store sends everything', () => Promise.resolve(), sendEverything],
  ])('begins again, or is refused and begins again, when %s', async (_, change, misbehave) => {
    const hub = await startHub(
      {},
      (file, content) => breakingOnce(file, content) ?? (asked > 2 ? misbehave(file, content) : undefined),
    );
    await expect(hub.fetchModel()).rejects.toMatchObject({ code: 'engine.hub_unavailable' });
    await change(join(folder(), 'cache/owner/name', await partOf()));
    const directory = await hub.fetchModel().catch(() => hub.fetchModel());
    expect(await cached()).toEqual(['config.json', 'model.safetensors', 'tokenizer.json', 'tokenizer_config.json']);
    await expect((await openBaseModel(directory)).loadWeights()).resolves.toBeDefined();
  });
});

it('does not fetch the weights of a model that cannot run here', async () => {
  const hub = await startHub();
  const client = new HubClient({ baseUrl: 'https://hub.test/' });
  const fetched = fetchHubModel('owner/name', client, join(folder(), 'cache'), { maxParams: 10 });
  await expect(fetched).rejects.toMatchObject({ code: 'engine.base_model_too_large' });
  expect(hub.asked).toEqual(['/owner/name/resolve/main/config.json']);
});

it('tells how far it is', async () => {
  const told: DownloadProgress[] = [];
  const hub = await startHub({}, undefined, { onProgress: (progress) => told.push(progress) });
  await hub.fetchModel();
  const { size } = await stat(join(folder(), 'hub/model.safetensors'));
  expect(told.findLast(({ file }) => file === 'model.safetensors')).toEqual({
    file: 'model.safetensors',
    bytes: size,
    total: size,
  });
});

describe('a model that the hub does not give', () => {
  const missing = { code: 'engine.base_model_unsupported', name: 'HubFileMissingError' };
  const unavailable = { code: 'engine.hub_unavailable', name: 'HubUnavailableError' };

  it('is missing when the hub does not know it', async () => {
    await expect((await startHub()).fetchModel('owner/other')).rejects.toMatchObject({
      ...missing,
      file: 'config.json',
    });
  });

  it.each([401, 403])('is missing when it may not be read (%d)', async (status) => {
    const hub = await startHub({}, () => new Response('', { status }));
    await expect(hub.fetchModel()).rejects.toMatchObject({ ...missing, status });
  });

  it.each<[string, Misbehaviour, RegExp]>([
    ['fails', () => new Response('', { status: 503 }), /answered config\.json with 503/],
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed')), /cannot be reached/],
    ['redirects for ever', redirectToItself, /cannot be reached/],
    ['sends less than it announced', (_, content) => cutShort(content), /has \d+ bytes, announced were \d+/],
  ])('is unavailable when the hub %s', async (_, misbehave, message) => {
    const hub = await startHub({}, misbehave);
    await expect(hub.fetchModel()).rejects.toMatchObject({ ...unavailable, message: expect.stringMatching(message) });
  });

  it('is not taken when its bytes are not those that were announced', async () => {
    let asked = 0;
    const hub = await startHub({}, (file, content) => {
      // The hub announces the true hash, the store sends other bytes.
      return file === 'model.safetensors' && ++asked === 2 ? new Response(new Uint8Array(content.length)) : undefined;
    });
    await expect(hub.fetchModel()).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringMatching(/model\.safetensors is not what was announced/),
    });
    expect(await cached()).toEqual(['tokenizer.json', 'tokenizer_config.json']);
  });

  it('is not taken when a file is too large', async () => {
    const hub = await startHub({}, undefined, { maxFileBytes: 100 });
    await expect(hub.fetchModel()).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringMatching(/config\.json is larger than the 100 bytes allowed/),
    });
  });

  it('is given up when the hub stays silent', async () => {
    const hub = await startHub({}, undefined, { answerTimeoutMs: 1 });
    globalThis.fetch = silentFetch;
    await expect(hub.fetchModel()).rejects.toMatchObject(unavailable);
  });

  it('is given up for the reason of the signal', async () => {
    const hub = await startHub();
    const reason = new Error('the job was cancelled');
    await expect(hub.fetchModel('owner/name', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await cached().catch(() => [])).toEqual([]);
  });
});

function cutShort(content: Buffer): Response {
  const headers = { 'content-length': String(content.length) };
  return new Response(new Uint8Array(content.subarray(1)), { headers });
}

const brokenOff = (content: Buffer) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(content));
      // The piece is read before the failure is.
      setTimeout(() => controller.error(new TypeError('terminated')), 20);
    },
  });

function sendEverything(file: string, content: Buffer): Response | undefined {
  // The hub itself only says where the store is.
  return file === 'model.safetensors' && ++everything % 2 === 0 ? new Response(new Uint8Array(content)) : undefined;
}
let everything = 0;

const silentFetch = ((_: unknown, init?: RequestInit) => {
  return new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
  });
}) as typeof fetch;

function redirectToItself(file: string): Response {
  return new Response(null, { status: 302, headers: { location: file } });
}
