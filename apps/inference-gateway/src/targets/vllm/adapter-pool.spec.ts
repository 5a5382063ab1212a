import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FakeVllm } from '@hone/testing/fakes';

import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { HttpServer } from '../http/http-server.js';
import { type Adapter, adapterName } from './adapter.js';
import { AdapterFolder, pathAtServer } from './adapter-folder.js';
import { AdapterLoader } from './adapter-loader.js';
import { type AdapterEvent, AdapterPool } from './adapter-pool.js';
import { AdapterServer } from './adapter-server.js';

const SETTINGS = {
  name: 'vllm-a',
  key: null,
  dialect: 'vllm',
  parameters: 'all',
  usage: 'include',
  hasTokenFrames: false,
  connections: 8,
  connectMs: 3_000,
} as const;
const HOUR_AGO = new Date(Date.now() - 3_600_000);

describe('AdapterPool', () => {
  let root: string;
  let fake: FakeVllm;
  let folder: AdapterFolder;
  let clock: FakeClock;
  let pool: AdapterPool;
  let events: AdapterEvent[];
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'hone-adapters-'));
    fake = await FakeVllm.start();
    folder = new AdapterFolder(join(root, 'shared'));
    clock = new FakeClock();
    events = [];
    const server = new AdapterServer(new HttpServer({ ...SETTINGS, baseUrl: fake.baseUrl }), 60_000);
    const options = { maxLoaded: 2, loadMs: 60_000, onEvent: (event: AdapterEvent) => void events.push(event) };
    pool = new AdapterPool(new AdapterLoader(server, folder, []), folder, options, clock);
  });
  afterEach(async () => {
    pool.close();
    await fake.kill();
    await rm(root, { recursive: true });
  });

  /** An adapter in a store, with a manifest as a checkpoint has. */
  async function anAdapter(step = 1): Promise<Adapter> {
    const id = randomUUID();
    const path = join(root, 'store', id);
    await mkdir(path, { recursive: true });
    const files = { 'adapter_config.json': '{}', 'adapter_model.safetensors': id, 'optimizer.safetensors': 'large' };
    const listed: object[] = [];
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(path, name), content);
      listed.push({ path: name, bytes: content.length, sha256: sha256(content) });
    }
    const manifest = JSON.stringify({ files: listed });
    await writeFile(join(path, 'manifest.json'), manifest);
    const checkpoint = {
      id,
      manifestSha256: sha256(manifest),
      localPath: async () => path,
      hold: async () => undefined,
      enter: () => () => undefined,
    };
    return { name: adapterName(id, step), modelId: id, step, base: 'hone-tiny', checkpoint };
  }

  const used = async (adapter: Adapter) => (await pool.use(adapter)).leave();
  const inFolder = () => readdir(join(root, 'shared/lora'));

  it('copies the two files of an adapter, whole, and no others', async () => {
    const adapter = await anAdapter();
    await used(adapter);
    expect(await readdir(join(root, 'shared/lora', adapter.name))).toEqual([
      'adapter_config.json',
      'adapter_model.safetensors',
    ]);
    expect(await readdir(join(root, 'shared/tmp'))).toEqual([]);
  });

  it('unloads the least recently used of the idle ones, never one in use', async () => {
    const [a, b, c] = [await anAdapter(), await anAdapter(), await anAdapter()];
    const use = await pool.use(a);
    await clock.advance(1);
    await used(b);
    await clock.advance(1);
    await used(c);
    expect(fake.loaded).toEqual([a.name, c.name]);
    use.leave();
    await clock.advance(1);
    await used(c);
    await used(b);
    expect(fake.loaded).toEqual([c.name, b.name]);
    expect(pool.states()).toEqual({ loading: 0, probing: 0, ready: 2, draining: 0 });
  });

  it('gives up the wait for a slot in the end', async () => {
    const held = [await pool.use(await anAdapter()), await pool.use(await anAdapter())];
    const waiting = pool.use(await anAdapter());
    const ended = waiting.catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await clock.advance(60_000);
    expect(await ended).toMatchObject({ failure: { reason: 'no_slot' } });
    for (const use of held) use.leave();
  });

  it('marks what the server has lost, and loads it again', async () => {
    const adapter = await anAdapter();
    await used(adapter);
    fake.forget();
    await pool.reconcile();
    expect(pool.isReady(adapter.name)).toBe(false);
    await used(adapter);
    expect(events).toEqual(['loaded', 'lost', 'loaded']);
  });

  it('ignores the report of a loss that was healed meanwhile', async () => {
    const adapter = await anAdapter();
    const [first, second] = [await pool.use(adapter), await pool.use(adapter)];
    fake.forget();
    first.reportLost();
    await used(adapter);
    second.reportLost();
    expect(pool.isReady(adapter.name)).toBe(true);
    expect(fake.count('load')).toBe(2);
  });

  it('unloads an adapter that no gateway uses, and no other model', async () => {
    const [orphan, other] = [adapterName(randomUUID(), 3), await anAdapter()];
    await folder.put(other);
    for (const name of [orphan, other.name, 'my-own-adapter']) fake.plant(name);
    await pool.reconcile();
    expect(fake.loaded).toEqual([other.name, 'my-own-adapter']);
    // The gateway that had it was killed long ago.
    await utimes(join(root, 'shared/lora', other.name), HOUR_AGO, HOUR_AGO);
    await pool.reconcile();
    expect(fake.loaded).toEqual(['my-own-adapter']);
    expect(await inFolder()).toEqual([]);
  });

  it('keeps the files of what it has loaded, and removes those of what it unloaded', async () => {
    const adapter = await anAdapter();
    await used(adapter);
    const path = join(root, 'shared/lora', adapter.name);
    await utimes(path, HOUR_AGO, HOUR_AGO);
    await pool.reconcile();
    expect(await inFolder()).toEqual([adapter.name]);
    await clock.advance(1_800_000);
    await pool.reconcile();
    expect(fake.loaded).toEqual([]);
    await utimes(path, HOUR_AGO, HOUR_AGO);
    await pool.reconcile();
    expect(await inFolder()).toEqual([]);
  });

  it('copies the files again that were removed before their load', async () => {
    const adapter = await anAdapter();
    await used(adapter);
    fake.forget();
    await rm(join(root, 'shared/lora', adapter.name), { recursive: true });
    await pool.reconcile();
    await used(adapter);
    expect(fake.loaded).toEqual([adapter.name]);
  });

  it('repeats a refused load after 30 s, and one that met no server at once', async () => {
    const adapter = await anAdapter();
    fake.faults.refusal = 'no';
    await expect(pool.use(adapter)).rejects.toMatchObject({ failure: { reason: 'not_loaded', message: 'no' } });
    fake.faults.refusal = null;
    await expect(pool.use(adapter)).rejects.toMatchObject({ failure: { reason: 'not_loaded' } });
    await clock.advance(30_000);
    await used(adapter);
    await fake.kill();
    await expect(pool.use(await anAdapter())).rejects.toMatchObject({ failure: { reason: 'unreachable' } });
    await fake.restart();
    await used(await anAdapter());
  });

  it('refuses a checkpoint of all weights', async () => {
    const adapter = await anAdapter();
    const path = await adapter.checkpoint.localPath();
    const manifest = JSON.stringify({ files: [{ path: 'model.safetensors', bytes: 1, sha256: sha256('x') }] });
    await writeFile(join(path, 'manifest.json'), manifest);
    const checkpoint = { ...adapter.checkpoint, manifestSha256: sha256(manifest) };
    await expect(pool.use({ ...adapter, checkpoint })).rejects.toMatchObject({
      failure: { reason: 'not_loaded', message: 'The checkpoint is not an adapter.' },
    });
  });
});

describe('pathAtServer', () => {
  it.each([
    ['/data/adapters/lora/x', [['/data', '/mnt']], '/mnt/adapters/lora/x'],
    ['/data/adapters/lora/x', [['/data', '/mnt'] as const, ['/data/adapters/', '/a/']], '/a/lora/x'],
    ['/database/x', [['/data', '/mnt']], '/database/x'],
    ['/data/x', [['/', '/host']], '/host/data/x'],
    ['/data/x', [], '/data/x'],
  ] as [string, [string, string][], string][])('maps %s by %j to %s', (path, map, expected) => {
    expect(pathAtServer(path, map)).toBe(expected);
  });
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
