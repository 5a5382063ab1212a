import { newId } from '@hone/database';
import type { TestClient } from '@hone/testing';

import { addCheckpoints, addJob, createModel } from '../../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../../training-app.fixture.js';
import { SourceCalls } from '../source-calls.fixture.js';

const DATA = '/v1/preview/training-data';
const lineage = (id: string | undefined) => `/v1/preview/checkpoints/${id}/lineage`;

describe('what a checkpoint learned from', () => {
  let app: TrainingApp;
  let calls: SourceCalls;
  let ids: string[];
  let data: { url: string; digest: string };
  let modelId: string;
  let jobId: string;
  let checkpoints: string[];
  let stranger: TestClient;

  beforeAll(async () => {
    app = await startTrainingApp();
    stranger = app.by(await app.user('stranger', { roles: { other: 'owner' } }));
    modelId = await createModel(app.caller);
    calls = await SourceCalls.of(app);
    ids = await calls.add({ prompt: 'a', thumb: 1 }, { prompt: 'b', thumb: 0, correction: 'B' }, { prompt: 'c' });
    const body = { entity: 'acme', project: 'p', name: 'thumbs', kind: 'sft', source: { filter: { call_ids: ids } } };
    data = (await app.caller.post(`${DATA}/from-calls`, body)).json();
    jobId = await addJob(app, modelId, 'running');
    checkpoints = await addCheckpoints(app, modelId, [1, 2]);
    await app.sql(
      `UPDATE training_jobs SET status = 'succeeded', lease_owner = NULL, lease_expires_at = NULL, produced_id = $2,
         produced_step = 2, training_data_url = $3, data_version_id = (
           SELECT v.id FROM artifact_versions v JOIN artifacts a ON a.id = v.artifact_id WHERE a.name = 'thumbs')
       WHERE id = $1`,
      [jobId, checkpoints[1], data.url],
    );
    await app.sql('UPDATE checkpoints SET job_id = $2, parent_id = $3 WHERE id = $1', [
      ...[checkpoints[1], jobId, checkpoints[0]],
    ]);
  });
  afterAll(() => app.close());

  it('is walked from the checkpoint to the people who judged its calls', async () => {
    const response = await app.caller.get(lineage(checkpoints[1]));
    const feedback = (feedback_type: string) => ({
      ...{ id: expect.any(String), feedback_type, svc_user_id: app.writer.id, creator: null },
      created_at: expect.stringMatching(/Z$/),
    });
    expect([response.status, response.json()]).toEqual([
      200,
      {
        model_id: modelId,
        steps: [
          {
            ...{ checkpoint_id: checkpoints[1], step: 2, job_id: jobId },
            data: {
              ...{ id: expect.any(String), url: data.url, digest: data.digest, calls: 3 },
              ...{ created_at: expect.stringMatching(/Z$/), deleted_at: null },
            },
          },
          { checkpoint_id: checkpoints[0], step: 1, job_id: null, data: null },
        ],
        calls: {
          ...{ object: 'list', first_id: ids[0], last_id: ids[2], has_more: false },
          data: [
            { id: ids[0], split: 'train', deleted: false, feedback: [feedback('hone.reaction.1')] },
            {
              ...{ id: ids[1], split: 'train', deleted: false },
              feedback: [feedback('hone.reaction.1'), feedback('hone.correction.1')],
            },
            { id: ids[2], split: 'train', deleted: false, feedback: [] },
          ],
        },
      },
    ]);
    const page = (await app.caller.get(`${lineage(checkpoints[1])}?limit=1&after=${ids[0]}`)).json().calls;
    expect([page.data.map(({ id }: { id: string }) => id), page.has_more]).toEqual([[ids[1]], true]);
  });

  it('names the data that holds a call, also after the call is deleted', async () => {
    const holding = async (query: string, client = app.caller) => {
      const response = await client.get(`${DATA}?${query}`);
      return [response.status, ...response.json().data.map(({ url }: { url: string }) => url)];
    };
    expect(await holding(`contains_call=${ids[1]}`)).toEqual([200, data.url]);
    expect(await holding('contains_call=none')).toEqual([200]);
    expect(await holding('entity=acme&project=p')).toEqual([200, data.url]);
    await calls.delete(ids[1] as string);
    expect(await holding(`contains_call=${ids[1]}`)).toEqual([200, data.url]);
    const { calls: page } = (await app.caller.get(lineage(checkpoints[1]))).json();
    expect(page.data.map(({ deleted }: { deleted: boolean }) => deleted)).toEqual([false, true, false]);
    expect(await holding(`contains_call=${ids[0]}`, stranger)).toEqual([200]);
  });

  it('is nothing to those without a right on the project', async () => {
    const denied = { detail: 'You have no access to this model.', code: 'access.denied' };
    expect((await stranger.get(lineage(checkpoints[1]))).json()).toEqual(denied);
    const unknown = await stranger.get(lineage(newId()));
    expect([unknown.status, unknown.json().code]).toEqual([404, 'checkpoint.not_found']);
    const body = { entity: 'acme', project: 'p', name: 'mine', kind: 'sft', source: {} };
    const made = await stranger.post(`${DATA}/from-calls`, body);
    expect([made.status, made.json()]).toEqual([
      403,
      { detail: "You have no access to entity 'acme'.", code: 'access.denied' },
    ]);
  });

  it('shows calls only to keys that open them', async () => {
    const trains = app.by(await app.user('trains', { roles: { acme: 'owner' }, scopes: ['training'] }));
    const seen = (await trains.get(lineage(checkpoints[1]))).json();
    expect([seen.steps.map((step: { data: unknown }) => step.data), seen.calls.data]).toEqual([[null, null], []]);
    const body = { entity: 'acme', project: 'p', name: 'mine', kind: 'sft', source: {} };
    expect((await trains.post(`${DATA}/from-calls`, body)).status).toBe(403);
    const reader = app.by(await app.user('reads', { roles: { acme: 'reader' } }));
    expect((await reader.get(lineage(checkpoints[1]))).json().calls.data).toHaveLength(3);
    expect((await reader.post(`${DATA}/from-calls`, body)).status).toBe(403);
  });

  it('takes samples of no model that its maker may not read', async () => {
    const owner = app.by(await app.user('owns', { roles: { other: 'owner' } }));
    const foreign = await createModel(owner, { entity: 'other', project: 'q' });
    const tokens = { prompt: [1], answer: [2] };
    const found = await calls.add(
      ...[1, 0].map((thumb) => ({ modelId: foreign, tokens, thumb: thumb as 0 | 1, prompt: 'foreign' })),
    );
    const body = { entity: 'acme', project: 'p', name: 'foreign', kind: 'rl', source: { filter: { call_ids: found } } };
    const made = await app.caller.post(`${DATA}/from-calls`, body);
    expect([made.status, made.json().detail[0].msg]).toEqual([422, 'No call is left to learn from: 2 unknown_model']);
    const named = await app.caller.post(`${DATA}/from-calls`, { ...body, model_id: foreign });
    expect([named.status, named.json().code]).toEqual([403, 'access.denied']);
  });
});
