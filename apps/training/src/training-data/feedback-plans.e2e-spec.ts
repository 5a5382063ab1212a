import { planOf, rowsRead, statementsOf } from '@hone/testing';

import { addCheckpoints, addJob, createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { SourceCalls } from './source-calls.fixture.js';

const OTHERS = 20_000;
const CALLS = 40;
const MINUTES_MS = 300_000;

describe(`plans of the feedback on ${CALLS} calls, amid that on ${OTHERS} others`, () => {
  let app: TrainingApp;
  let ids: string[];
  beforeAll(async () => {
    app = await startTrainingApp({}, {}, { isOwn: true });
    await createModel(app.caller); // makes the project
    const calls = await SourceCalls.of(app);
    const drafts = Array.from({ length: CALLS }, (_, n) => ({ prompt: `${n}`, correction: 'B', thumb: 1 as const }));
    ids = await calls.add(...drafts);
    await app.sql(
      `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, payload_text,
         scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
       SELECT $1, 'f' || n, now(), $2, 'hone.reaction.1', 'acme/p/call/other-' || n, '{}', '{}', '{}', '{}', '{}', '{}', '{}'
       FROM generate_series(1, ${OTHERS}) n`,
      [calls.projectRowId, app.writer.id],
    );
    await app.sql('VACUUM ANALYZE calls, feedback');
  }, MINUTES_MS);
  afterAll(() => app.close());

  /** Rows of feedback that the statements read which read any. */
  async function feedbackRead(work: () => Promise<unknown>): Promise<{ statements: number; rows: number }> {
    const sent = (await statementsOf(work)).filter(({ text }) => text.includes('feedback f'));
    let rows = 0;
    for (const statement of sent) {
      const plan = await planOf(app.sql, statement);
      rows += rowsRead(plan.filter((node) => node['Relation Name'] === 'feedback'));
    }
    return { statements: sent.length, rows };
  }

  it('read what was said about the calls alone, for training data as for lineage', async () => {
    const body = { entity: 'acme', project: 'p', name: 'thumbs', kind: 'sft', source: { filter: { call_ids: ids } } };
    const made = await feedbackRead(async () => {
      const { status, json } = await app.caller.post('/v1/preview/training-data/from-calls', body);
      expect([status, json().counts?.used]).toEqual([200, CALLS]);
    });
    expect(made.statements).toBeGreaterThanOrEqual(2);
    expect(made.rows).toBeLessThan(made.statements * 3 * CALLS);
    const checkpoint = await aCheckpointOf(app);
    const lineage = await feedbackRead(async () => {
      const { status, json } = await app.caller.get(`/v1/preview/checkpoints/${checkpoint}/lineage?limit=100`);
      expect([status, json().calls?.data.length]).toEqual([200, CALLS]);
    });
    expect(lineage.statements).toBe(1);
    expect(lineage.rows).toBeLessThan(3 * CALLS);
  });
});

/** Its job has read the only data that there are. */
async function aCheckpointOf(app: TrainingApp): Promise<string> {
  const modelId = await createModel(app.caller);
  const jobId = await addJob(app, modelId, 'running');
  const [checkpoint] = await addCheckpoints(app, modelId, [1]);
  await app.sql(
    `UPDATE training_jobs SET status = 'succeeded', lease_owner = NULL, lease_expires_at = NULL, produced_id = $2,
       produced_step = 1, data_version_id = (SELECT id FROM artifact_versions) WHERE id = $1`,
    [jobId, checkpoint],
  );
  await app.sql('UPDATE checkpoints SET job_id = $2 WHERE id = $1', [checkpoint, jobId]);
  return checkpoint as string;
}
