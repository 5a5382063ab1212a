import { newId } from '@hone/database';
import type { TestClient } from '@hone/testing';

import { addCheckpoints, createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

describe('GET /v1/preview/models/{model_id}/trajectories', () => {
  let training: TrainingApp;
  let caller: TestClient;
  let model: string;
  beforeAll(async () => {
    training = await startTrainingApp();
    caller = training.caller;
    model = await createModel(caller);
    await log('val', [
      { trajectories: [{ reward: 0 }, { reward: 1, metrics: { ok: true } }] },
      {},
      { trajectories: [{}] },
    ]);
    await addCheckpoints(training, model, [1]);
    await log('train', [{ trajectories: [{ reward: 3 }] }]);
    await log('val', [{ trajectories: [{ reward: 4 }] }]);
  });
  afterAll(() => training.close());

  const log = (split: string, trajectory_groups: unknown[]) =>
    caller.post(`${MODELS}/${model}/log`, { split, trajectory_groups });
  const page = async (query = '') => (await caller.get(`${MODELS}/${model}/trajectories?${query}`)).json();
  const positions = ({ data }: { data: Record<string, unknown>[] }) =>
    data.map(({ split, step, group_index, index, reward }) => [split, step, group_index, index, reward]);

  it('shows them in the order in which they were logged', async () => {
    const all = await page();
    expect(positions(all)).toEqual([
      ['val', 0, 0, 0, 0],
      ['val', 0, 0, 1, 1],
      ['val', 0, 2, 0, 0],
      ['train', 1, 0, 0, 3],
      ['val', 1, 0, 0, 4],
    ]);
    expect(all.data[1]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}-0-1$/),
      split: 'val',
      step: 0,
      group_index: 0,
      index: 1,
      reward: 1,
      metrics: { ok: 1 },
      trajectory: { reward: 1, metrics: { ok: true } },
    });
  });

  it('narrows them down', async () => {
    expect(positions(await page('split=train'))).toEqual([['train', 1, 0, 0, 3]]);
    expect(positions(await page('step=1&split=val'))).toEqual([['val', 1, 0, 0, 4]]);
    expect((await page('split=none')).data).toEqual([]);
  });

  it('pages through them', async () => {
    const seen: unknown[] = [];
    for (let after = '', more = true; more;) {
      const found = await page(`limit=2&after=${after}`);
      seen.push(...positions(found));
      after = found.last_id;
      more = found.has_more;
    }
    expect(seen).toEqual(positions(await page()));
  });

  it('keeps numbers and texts as they were sent', async () => {
    const id = await createModel(caller);
    const trajectory = '{"reward":1.0,"metadata":{"n":9223372036854775808,"t":"\\u0000\\ud800"}}';
    await caller.post(`${MODELS}/${id}/log`, `{"split":"s","trajectory_groups":[{"trajectories":[${trajectory}]}]}`);
    expect((await caller.get(`${MODELS}/${id}/trajectories`)).text).toContain(`"trajectory":${trajectory}`);
  });

  it.each([
    ['limit=0', 'limit', 'greater_than_equal'],
    ['step=-1', 'step', 'greater_than_equal'],
    ['step=x', 'step', 'int_parsing'],
    ['after=x', 'after', 'value_error'],
    [`after=${newId()}-0-0`, 'after', 'value_error'],
  ])('refuses ?%s', async (query, name, type) => {
    const { status, json } = await caller.get(`${MODELS}/${model}/trajectories?${query}`);
    expect([status, json().detail]).toEqual([422, [{ loc: ['query', name], msg: expect.any(String), type }]]);
  });
});
