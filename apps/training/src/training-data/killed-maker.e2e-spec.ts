import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openArtifactStore } from '@hone/artifacts';
import {
  createTestDatabase,
  createTestUser,
  type ServiceProcess,
  startService,
  type TestDatabase,
  type TestUser,
  until,
} from '@hone/testing';

import { SourceCalls } from './source-calls.fixture.js';

const FROM_CALLS = '/v1/preview/training-data/from-calls';
const CALLS = 3_000;
/** Each comes at another moment of the making. */
const KILLS_AFTER_MS = [0, 60, 200, 450];

describe('a service that is killed amid making training data', () => {
  let database: TestDatabase;
  let user: TestUser;
  let dataDir: string;
  const started: ServiceProcess[] = [];

  async function start(): Promise<ServiceProcess> {
    const service = await startService('training', { DATABASE_URL: database.url, HONE_DATA_DIR: dataDir });
    started.push(service);
    return service;
  }
  const make = async (service: ServiceProcess, more: object = {}) =>
    fetch(service.url + FROM_CALLS, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ entity: 'acme', project: 'p', name: 'cut', kind: 'sft', source: {}, ...more }),
    });
  const digestOf = async (response: Promise<Response>) =>
    ((await (await response).json()) as { digest: string }).digest;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'hone-killed-data-'));
    user = await createTestUser(database.db, 'wendy', { roles: { acme: 'writer' } });
    const service = await start();
    await fetch(`${service.url}/v1/preview/models`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ entity: 'acme', project: 'p', name: 'm', base_model: 'hone-tiny' }),
    });
    const calls = await SourceCalls.of({ db: database.db, sql: database.sql, writer: user });
    await calls.add(...Array.from({ length: CALLS }, (_, at) => ({ prompt: `p${at}`, answer: 'x'.repeat(500) })));
  }, 180_000);
  afterAll(async () => {
    await Promise.all(started.map((service) => service.stop('SIGKILL')));
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('leaves no half of it, and the next one makes the same', async () => {
    const expected = await digestOf(make(started[0] as ServiceProcess, { dry_run: true }));
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
    for (const afterMs of KILLS_AFTER_MS) {
      const victim = await start();
      const cut = make(victim).then(
        ({ status }) => status,
        () => null,
      );
      await until(
        async () => (await readdir(join(dataDir, 'artifacts/tmp')).catch(() => [])).length > 0,
        'work',
        30_000,
      );
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await victim.stop('SIGKILL');
      await cut;
      await rm(join(dataDir, 'artifacts/tmp'), { recursive: true, force: true });
    }
    const versions = await database.sql<{
      id: string;
      uri: string;
      digest: string;
      calls: number;
      files: { path: string; sha256: string }[];
    }>(
      `SELECT v.id, v.uri, v.digest, v.files, (
         SELECT count(*)::int FROM training_data_calls u WHERE u.version_id = v.id) AS calls FROM artifact_versions v`,
    );
    const store = openArtifactStore(dataDir);
    for (const { uri, digest, calls, files } of versions) {
      expect([digest, calls]).toEqual([expected, CALLS]);
      for (const { path, sha256 } of files) await store.read(`${uri}/${path}`, sha256);
    }
    const orphans = await database.sql(
      'SELECT 1 FROM training_data_calls u WHERE NOT EXISTS (SELECT 1 FROM artifact_versions v WHERE v.id = u.version_id)',
    );
    expect(orphans).toEqual([]);
    expect(await digestOf(make(await start()))).toBe(expected);
  }, 300_000);
});
