import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ArtifactStore, openArtifactStore } from '@hone/artifacts';
import { newId } from '@hone/database';
import { createTestDatabase, type TestDatabase } from '@hone/testing';

import type { TrainerConfig } from '../config/trainer.config.js';
import type { TrainerLog } from '../telemetry/trainer-log.js';
import { WorkerRepository } from '../worker/worker.repository.js';
import { CollectorService } from './collector.service.js';
import { GarbageRepository } from './garbage.repository.js';

const DAY_MS = 86_400_000;

describe('the collector', () => {
  let test: TestDatabase;
  let dataDir: string;
  let store: ArtifactStore;
  let collector: CollectorService;
  const said: string[] = [];
  beforeAll(async () => {
    test = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'collector-'));
    store = openArtifactStore(dataDir);
    const log = { info: () => undefined, warn: (fields: object) => said.push(JSON.stringify(fields)) };
    collector = new CollectorService(
      { collectSeconds: 3_600 } as TrainerConfig,
      store,
      new GarbageRepository(test.db),
      new WorkerRepository(test.db),
      log as unknown as TrainerLog,
    );
  });
  afterAll(async () => {
    expect(said).toEqual([]);
    await test.drop();
    await rm(dataDir, { recursive: true });
  });

  const projectId = newId();
  const exists = async (uri: string) => (await store.stat(uri)) !== null;

  async function anOldFolder(key: string): Promise<string> {
    const folder = await store.createFolder();
    const { uri } = await folder.commit(key);
    const path = await store.localPath(uri);
    await utimes(path, new Date(Date.now() - 2 * DAY_MS), new Date(Date.now() - 2 * DAY_MS));
    return uri;
  }

  async function aCheckpoint(more: { uri?: string; deleted?: boolean } = {}): Promise<{ id: string; uri: string }> {
    const [id, modelId] = [newId(), newId()];
    const uri = more.uri ?? (await anOldFolder(`models/${modelId}/step-1-a1-${id}`));
    const data = { projectId, id, modelId, step: 1, jobId: newId(), parentStep: 0, kind: 'rl', uri, bytes: 1n };
    const deletedAt = more.deleted ? new Date(Date.now() - DAY_MS) : null;
    await test.db.client.checkpoint.create({ data: { ...data, manifestSha256: 'x', deletedAt } });
    return { id, uri };
  }

  async function aJob(finishedDaysAgo: number | null): Promise<string> {
    const id = newId();
    await test.sql(
      `INSERT INTO training_jobs (project_id, id, model_id, kind, status, config, queue_deadline_at, created_by, finished_at)
       VALUES ($1, $2, $2, 'rl', $3, '{}', now(), $2, now() - make_interval(days => $4))`,
      [projectId, id, finishedDaysAgo === null ? 'queued' : 'succeeded', finishedDaysAgo],
    );
    await store.put(`jobs/${id}/input.json`, Buffer.from('{}'));
    await anOldFolder(`jobs/${id}/resume-a1-10`);
    return `local:jobs/${id}`;
  }

  it('deletes checkpoints that nobody needs, and no other', async () => {
    const live = await aCheckpoint();
    const deleted = await aCheckpoint({ deleted: true });
    const shared = await aCheckpoint({ deleted: true });
    await aCheckpoint({ uri: shared.uri });
    const pinned = await aCheckpoint({ deleted: true });
    const released = await aCheckpoint({ deleted: true });
    await test.sql(
      `INSERT INTO checkpoint_pins VALUES ($1, $2, 'gateway:a', NULL), ($1, $3, 'gateway:b', now() - interval '1 s')`,
      [projectId, pinned.id, released.id],
    );
    const orphan = await anOldFolder(`models/${newId()}/step-1-a1-${newId()}`);
    const fresh = (await (await store.createFolder()).commit(`models/${newId()}/step-1-a1-${newId()}`)).uri;
    await collector.run();
    const left = await Promise.all([live, shared, pinned].map(({ uri }) => exists(uri)));
    expect([...left, await exists(fresh)]).toEqual([true, true, true, true]);
    const gone = await Promise.all([deleted.uri, released.uri, orphan].map(exists));
    expect(gone).toEqual([false, false, false]);
    const marked = await test.sql<{ id: string }>('SELECT id FROM checkpoints WHERE bytes_gone_at IS NOT NULL');
    expect(marked.map(({ id }) => id).toSorted()).toEqual([deleted.id, released.id].toSorted());
  });

  it('keeps what a job was given for thirty days, and its resume points only while it is open', async () => {
    const [open, over, expired] = [await aJob(null), await aJob(1), await aJob(31)];
    const unknown = await anOldFolder(`jobs/${newId()}`);
    const fresh = (await store.put(`jobs/${newId()}/input.json`, Buffer.from('{}'))).uri;
    await collector.run();
    const names = async (uri: string) => (await readdir(await store.localPath(uri))).toSorted();
    expect(await names(open)).toEqual(['input.json', 'resume-a1-10']);
    expect(await names(over)).toEqual(['input.json']);
    expect(await Promise.all([expired, unknown, fresh].map(exists))).toEqual([false, false, true]);
  });

  it('deletes what an ended job was given together with its model', async () => {
    const ended = await aJob(1);
    const id = ended.slice('local:jobs/'.length);
    await test.sql(
      `INSERT INTO trainable_models (project_id, id, name, base_model, run_id, created_by, deleted_at)
       VALUES ($1, $2, 'gone', 'hone-tiny', $2, $2, now())`,
      [projectId, id],
    );
    await collector.run();
    expect(await exists(ended)).toBe(false);
  });

  it('deletes logs and artifacts that no row names', async () => {
    const modelId = newId();
    const log = await anOldFolder(`logs/${modelId}/kept`);
    const version = await anOldFolder('artifacts/a/v0');
    const [deleted, orphan] = [await anOldFolder('artifacts/a/v1'), await anOldFolder(`logs/${modelId}/orphan`)];
    const stray = await anOldFolder('artifacts/b');
    await test.sql(
      `INSERT INTO log_batches (project_id, id, model_id, step, split, uri, bytes, sha256, groups, trajectories, created_by)
       VALUES ($1, $2, $2, 0, 'train', $3, 0, 'x', 0, 0, $2)`,
      [projectId, modelId, log],
    );
    const insert = (uri: string, number: number, deletedAt: Date | null) =>
      test.sql(
        `INSERT INTO artifact_versions (project_id, id, artifact_id, version, uri, files, digest, bytes, created_by, deleted_at)
         VALUES ($1, $2, $1, $3, $4, '[]', 'x', 0, $2, $5)`,
        [projectId, newId(), number, uri, deletedAt],
      );
    await insert(version, 0, null);
    await insert(deleted, 1, new Date());
    await collector.run();
    expect(await Promise.all([log, version].map(exists))).toEqual([true, true]);
    expect(await Promise.all([deleted, orphan, stray].map(exists))).toEqual([false, false, false]);
  });

  it('deletes the trajectories of deleted models, however many, and no other', async () => {
    const [live, deleted] = [newId(), newId()];
    const insert = (modelId: string, deletedAt: Date | null, count: number) =>
      test.sql(
        `WITH model AS (
           INSERT INTO trainable_models (project_id, id, name, base_model, run_id, created_by, deleted_at)
           VALUES ($1, $2, $2::uuid::text, 'hone-tiny', $2, $2, $3))
         INSERT INTO trajectories (project_id, batch_id, group_index, index, model_id, step, split, reward, metrics)
         SELECT $1::uuid, $2::uuid, n, 0, $2::uuid, 0, 'train', 0, '{}' FROM generate_series(1, $4) AS n`,
        [projectId, modelId, deletedAt, count],
      );
    await insert(live, null, 3);
    await insert(deleted, new Date(), 120_000);
    await collector.run();
    expect(await test.sql('SELECT model_id, count(*)::int AS n FROM trajectories GROUP BY 1')).toEqual([
      { model_id: live, n: 3 },
    ]);
  });

  it('deletes what was left half written a day ago', async () => {
    const folder = await store.createFolder();
    const recent = await store.createFolder();
    await utimes(folder.path, new Date(Date.now() - 2 * DAY_MS), new Date(Date.now() - 2 * DAY_MS));
    await collector.run();
    expect(await readdir(join(dataDir, 'artifacts/tmp'))).toEqual([recent.path.split('/').at(-1)]);
  });

  it('lets one process collect at a time', async () => {
    const garbage = new GarbageRepository(test.db);
    const order: string[] = [];
    const first = garbage.withLock(async () => {
      order.push('first');
      const second = await garbage.withLock(async () => void order.push('second'), 60_000);
      expect(second).toBe(false);
    }, 60_000);
    expect(await first).toBe(true);
    expect(order).toEqual(['first']);
  });
});
