import { newId } from '@hone/database';
import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { EngineModelsRepository } from './engine-models.repository.js';

describe('weights that attempts kept at a remote engine', () => {
  let test: TestDatabase;
  let models: EngineModelsRepository;
  const projectId = newId();
  beforeAll(async () => {
    test = await createTestDatabase();
    models = new EngineModelsRepository(test.db);
  });
  afterAll(() => test.drop());

  async function aJob(status: string): Promise<string> {
    const id = newId();
    await test.sql(
      `INSERT INTO training_jobs (project_id, id, model_id, kind, status, config, queue_deadline_at, created_by, finished_at)
       VALUES ($1, $2, $2, 'rl', $3, '{}', now(), $2, CASE WHEN $3 = 'queued' THEN NULL ELSE now() END)`,
      [projectId, id, status],
    );
    return id;
  }

  async function keptBy(jobId: string, engine = 'skyrl'): Promise<string> {
    const path = `tinker://model_1/weights/${newId()}`;
    await models.addWeights({ engine, path, jobId });
    return path;
  }

  async function aCheckpoint(jobId: string, weights: string, bytesGoneAt: Date | null, gradientStep = 1) {
    const id = newId();
    const data = {
      projectId,
      id,
      modelId: id,
      step: 1,
      jobId,
      parentStep: 0,
      kind: 'rl',
      uri: `local:${id}`,
      bytes: 1n,
    };
    await test.db.client.checkpoint.create({
      data: { ...data, manifestSha256: 'x', engine: { weights }, bytesGoneAt, gradientStep },
    });
  }

  it('are orphans when neither an open job nor a checkpoint with bytes needs them', async () => {
    const [open, over, another] = [await aJob('queued'), await aJob('succeeded'), newId()];
    const resume = await keptBy(over);
    const live = await keptBy(over);
    const gone = await keptBy(over);
    const ofOpenJob = await keptBy(open);
    const ofNoJob = await keptBy(another);
    await keptBy(over, 'another-engine');
    await aCheckpoint(over, live, null);
    await aCheckpoint(over, gone, new Date(), 2);
    expect(await models.findOrphanWeights('skyrl')).toEqual([resume, gone, ofNoJob]);
    for (const path of [resume, gone, ofNoJob]) await models.removeWeights('skyrl', path);
    expect(await models.findOrphanWeights('skyrl')).toEqual([]);

    await test.sql(`UPDATE training_jobs SET status = 'cancelled', finished_at = now() WHERE id = $1`, [open]);
    expect(await models.findOrphanWeights('skyrl')).toEqual([ofOpenJob]);
  });
});
