import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';

import {
  ArtifactTooLargeError,
  StorageUnavailableError,
  StoredFileCorruptError,
  StoredFileMissingError,
} from '../artifact.errors.js';
import { LocalArtifactStore } from './local-artifact-store.js';

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const OUTSIDE = [
  '',
  '/',
  '/etc/passwd',
  '.',
  '..',
  '../x',
  'a/../../x',
  'a/..',
  'a//b',
  'a/',
  './a',
  'a\\b',
  'a\0',
  'é',
];

describe('LocalArtifactStore', () => {
  let dir: string;
  let store: LocalArtifactStore;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'artifacts-'));
    store = new LocalArtifactStore(join(dir, 'store'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  const temporary = () => readdir(join(dir, 'store/tmp'));
  const listed = async (prefix: string) => {
    const uris: string[] = [];
    for await (const { uri } of store.list(prefix)) uris.push(uri);
    return uris.sort();
  };

  it('stores a file and returns its size and hash', async () => {
    const stored = await store.put('jobs/j1/input.json', Buffer.from('hello'));
    expect(stored).toEqual({ uri: 'local:jobs/j1/input.json', bytes: 5, sha256: sha256('hello') });
    expect((await store.read(stored.uri, stored.sha256)).toString()).toBe('hello');
    expect(await text(await store.open(stored.uri))).toBe('hello');
    expect(await readFile(await store.localPath(stored.uri), 'utf8')).toBe('hello');
    expect(await store.stat(stored.uri)).toEqual({ bytes: 5 });
    expect(await temporary()).toEqual([]);
  });

  it('stores a stream as it comes', async () => {
    async function* content() {
      for (const part of ['a', '', 'bc']) yield Buffer.from(part);
    }
    expect(await store.put('logs/x', content())).toEqual({ uri: 'local:logs/x', bytes: 3, sha256: sha256('abc') });
  });

  it('never overwrites', async () => {
    await store.put('logs/x', Buffer.from('first'));
    await expect(store.put('logs/x', Buffer.from('second'))).rejects.toThrow('EEXIST');
    expect((await store.read('local:logs/x', sha256('first'))).toString()).toBe('first');
    expect(await temporary()).toEqual([]);
  });

  it('stores nothing of a stream that is too large or breaks off', async () => {
    await expect(store.put('logs/x', Buffer.from('123456'), { maxBytes: 5 })).rejects.toThrow(ArtifactTooLargeError);
    async function* broken() {
      yield Buffer.from('a');
      throw Object.assign(new Error('the client went away'), { code: 'ENOSPC' });
    }
    await expect(store.put('logs/x', broken())).rejects.toThrow('the client went away');
    expect([await store.stat('local:logs/x'), await temporary()]).toEqual([null, []]);
  });

  it('stores a folder with all it holds', async () => {
    const folder = await store.createFolder();
    await mkdir(join(folder.path, 'sub'));
    await writeFile(join(folder.path, 'sub/b.txt'), 'bb');
    await writeFile(join(folder.path, 'a.txt'), 'a');
    expect(await folder.commit('models/m1/step-1')).toEqual({
      uri: 'local:models/m1/step-1',
      bytes: 3,
      files: [
        { path: 'a.txt', bytes: 1, sha256: sha256('a') },
        { path: 'sub/b.txt', bytes: 2, sha256: sha256('bb') },
      ],
    });
    await folder.discard();
    expect(await store.stat('local:models/m1/step-1')).toEqual({ bytes: 3 });
    expect((await store.read('local:models/m1/step-1/sub/b.txt', sha256('bb'))).toString()).toBe('bb');
    expect(await temporary()).toEqual([]);
  });

  it('never commits a folder over another one', async () => {
    for (const content of ['first', 'second']) {
      const folder = await store.createFolder();
      await writeFile(join(folder.path, 'f'), content);
      const committed = folder.commit('models/m');
      if (content === 'second') await expect(committed).rejects.toThrow(/ENOTEMPTY|EEXIST/);
      else await committed;
      await folder.discard();
    }
    expect((await store.read('local:models/m/f', sha256('first'))).toString()).toBe('first');
    expect(await temporary()).toEqual([]);
  });

  it('hashes the files of a folder while they are streamed', async () => {
    const folder = await store.createFolder();
    expect(await folder.put('a.txt', Buffer.from('a'))).toEqual({ path: 'a.txt', bytes: 1, sha256: sha256('a') });
    await expect(folder.put('b.txt', Buffer.from('bb'), { maxBytes: 1 })).rejects.toThrow(ArtifactTooLargeError);
    for (const path of OUTSIDE) await expect(folder.put(path, Buffer.from('x'))).rejects.toThrow('Not a key');
    await rm(join(folder.path, 'b.txt'));
    expect(await folder.commit('artifacts/v')).toMatchObject({
      bytes: 1,
      files: [{ path: 'a.txt', sha256: sha256('a') }],
    });
  });

  it('takes no link into a folder', async () => {
    const folder = await store.createFolder();
    await symlink('/etc/passwd', join(folder.path, 'link'));
    await expect(folder.commit('models/m')).rejects.toThrow('neither');
  });

  it.each(OUTSIDE)('knows no way out of its folder by %j', async (path) => {
    await writeFile(join(dir, 'x'), 'secret');
    await expect(store.put(path, Buffer.from('x'))).rejects.toThrow('Not a key');
    await expect(store.open(`local:${path}`)).rejects.toThrow(StoredFileMissingError);
    await expect(store.localPath(`local:${path}`)).rejects.toThrow(StoredFileMissingError);
    await expect(store.delete(`local:${path}`)).rejects.toThrow(StoredFileMissingError);
    await expect(listed(path)).rejects.toThrow('Not a key');
    expect(await readFile(join(dir, 'x'), 'utf8')).toBe('secret');
  });

  it('keeps its own folder to itself', async () => {
    await expect(store.put('tmp/x', Buffer.from('x'))).rejects.toThrow('belongs to');
    await expect((await store.createFolder()).commit('tmp')).rejects.toThrow('belongs to');
  });

  it('distinguishes missing from damaged', async () => {
    await store.put('logs/x', Buffer.from('abc'));
    await truncate(await store.localPath('local:logs/x'), 2);
    await expect(store.read('local:logs/x', sha256('abc'))).rejects.toThrow(StoredFileCorruptError);
    for (const uri of ['local:logs/none', 'local:logs', 'local:logs/x/y', 's3:logs/x', 'logs/x']) {
      await expect(store.open(uri)).rejects.toThrow(StoredFileMissingError);
      await expect(store.read(uri, sha256(''))).rejects.toThrow(StoredFileMissingError);
    }
    expect(await store.stat('local:logs/none')).toBeNull();
  });

  it('deletes files and folders, also those that are gone', async () => {
    await store.put('models/m/a', Buffer.from('a'));
    await store.delete('local:models/m');
    await store.delete('local:models/m');
    expect(await listed('models')).toEqual([]);
  });

  it.each(['deleted', 'discarded'] as const)('has a folder %s while a process writes to it', async (how) => {
    for (let round = 0; round < 20; round++) {
      const folder = await store.createFolder();
      let written = 0;
      const write = async (): Promise<void> => {
        await writeFile(join(folder.path, String(written)), '');
        written++;
        return write();
      };
      const writers = Array.from({ length: 8 }, () => write().catch((error: unknown) => error));
      while (written <= 50) await setImmediate();
      if (how === 'deleted') for (const uri of await listed('tmp')) await store.delete(uri);
      else await folder.discard();
      for (const writer of writers) expect(await writer).toMatchObject({ code: 'ENOENT' });
    }
    expect(await temporary()).toEqual([]);
  });

  it('lists what lies under a prefix, with its age', async () => {
    await store.put('models/m/a', Buffer.from('a'));
    await store.put('models/n', Buffer.from('a'));
    const left = await store.createFolder();
    expect(await listed('models')).toEqual(['local:models/m', 'local:models/n']);
    expect(await listed('tmp')).toHaveLength(1);
    expect(await listed('nothing')).toEqual([]);
    for await (const { modifiedAt } of store.list('models')) expect(Date.now() - +modifiedAt).toBeLessThan(600_000);
    await left.discard();
  });

  it('says that it is not available when its folder cannot be used', async () => {
    await writeFile(join(dir, 'store'), 'a file where the folder should be');
    await expect(store.ping()).rejects.toThrow(StorageUnavailableError);
    await expect(store.put('a', Buffer.from('a'))).rejects.toMatchObject({ code: 'storage.unavailable' });
    await expect(store.createFolder()).rejects.toMatchObject({ code: 'storage.unavailable' });
  });

  it('answers a ping and leaves nothing', async () => {
    await store.ping();
    expect(await temporary()).toEqual([]);
  });
});
