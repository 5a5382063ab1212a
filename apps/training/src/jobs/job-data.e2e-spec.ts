import { roundsOf, until } from '@hone/testing';
import { JobControl } from '@hone/training-jobs';

import { DEFAULT_TRAINING_CONFIG } from '../config/training.config.js';
import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { FakeWorker } from './fake-worker.fixture.js';

const JOBS = '/v1/preview/sft-training-jobs';
const VERSION = '/v1/preview/artifacts/acme/p/lines/v0';
const URL = 'hone-artifact:///acme/p/lines:v0';
const ROUNDS = roundsOf(20, 'HONE_RACE_RUNS');

describe('the artifact version that a job reads', () => {
  let app: TrainingApp;
  beforeEach(async () => {
    app = await startTrainingApp();
    await upload('lines');
  });
  afterEach(() => app.close());

  const upload = (name: string) => {
    const headers = { 'content-type': 'application/jsonl' };
    return app.caller.post(`/v1/preview/artifacts/acme/p/${name}`, '{"messages":[]}\n', { headers });
  };
  const create = (modelId: string, url = URL) => app.caller.post(JOBS, { model_id: modelId, training_data_url: url });
  const jobs = () => app.sql<{ id: string }>('SELECT id FROM training_jobs');

  /** Sends a request that has to wait for what `work` does, and commits that as soon as it waits. */
  async function sendDuring<T>(work: () => Promise<unknown>, request: () => Promise<T>): Promise<T> {
    const { answer } = await app.db.transaction(async () => {
      await work();
      const answer = app.db.detached(request);
      await until(async () => (await app.db.detached(waiting)).length > 0, 'a request that waits');
      return { answer };
    });
    return answer;
  }
  const waiting = () =>
    app.sql(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);

  it('cannot be deleted until the job ends, also not from another project', async () => {
    const { status, json } = await create(await createModel(app.caller, { project: 'elsewhere' }));
    expect(json().status).toBe('queued');
    expect(status).toBe(200);
    const refused = await app.caller.delete(VERSION);
    expect(refused.json()).toEqual({
      detail: `A training job that has not ended reads '${URL}'; cancel it, or wait.`,
      code: 'artifact.in_use',
    });
    expect(refused.status).toBe(409);
    await new FakeWorker(app.db).carryOut(1);
    expect((await app.caller.delete(VERSION)).status).toBe(200);
  });

  it('is not taken by a job while it is deleted', async () => {
    const modelId = await createModel(app.caller);
    const answer = await sendDuring(
      () => app.db.client.artifactVersion.updateMany({ data: { deletedAt: new Date() } }),
      () => create(modelId),
    );
    expect(answer.json()).toEqual({ detail: `There is no artifact '${URL}'.`, code: 'artifact.not_found' });
    expect(answer.status).toBe(404);
    expect(await jobs()).toEqual([]);
  });

  it('is not deleted while a job takes it', async () => {
    const first = await create(await createModel(app.caller));
    const draft = await app.db.client.trainingJob.findUniqueOrThrow({ where: { id: first.json().id } });
    await app.sql('DELETE FROM training_jobs');
    const control = new JobControl(app.db, DEFAULT_TRAINING_CONFIG.jobTimes);
    const own = { kind: 'sft' as const, config: {}, extraConfig: null, data: {}, warnings: [], input: null };
    const order = { ...draft, ...own, rollouts: null };
    const answer = await sendDuring(
      () => control.createJob(order, { perModel: 1, perProject: 1 }),
      () => app.caller.delete(VERSION),
    );
    expect(answer.json().code).toBe('artifact.in_use');
    expect(answer.status).toBe(409);
    expect(await jobs()).toEqual([{ id: draft.id }]);
  });

  it(
    `goes to one of a job and a delete that come at once, ${ROUNDS} times`,
    async () => {
      const modelId = await createModel(app.caller);
      for (let round = 0; round < ROUNDS; round++) {
        const { version } = (await upload('raced')).json();
        const path = `/v1/preview/artifacts/acme/p/raced/${version}`;
        const [created, deleted] = await Promise.all([
          create(modelId, `hone-artifact:///acme/p/raced:${version}`),
          app.caller.delete(path),
        ]);
        expect([
          [200, 409],
          [404, 200],
        ]).toContainEqual([created.status, deleted.status]);
        await app.sql(`DELETE FROM training_jobs`);
      }
    },
    Math.max(60_000, ROUNDS * 3_000),
  );
});
