import type { TestClient } from '@hone/testing';

import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const JOBS = '/v1/preview/training-jobs';
const LINES = { headers: { 'content-type': 'application/jsonl' } };
const said = (text: string) => [
  { role: 'user', content: 'hi' },
  { finish_reason: 'stop', message: { role: 'assistant', content: text } },
];
const GROUPS = [
  {
    trajectories: [
      { messages_and_choices: said('a'), reward: 1, initial_policy_version: 3, metrics: { words: 4, ok: true } },
      { messages_and_choices: said('b') },
    ],
  },
  {},
  { trajectories: [{ messages_and_choices: said('c'), reward: 2 }] },
];
const SUMMARIES = [
  { group: 0, index: 0, reward: 1, advantage: 1, initial_policy_version: 3, metrics: { words: 4, ok: 1 } },
  { group: 0, index: 1, reward: 0, advantage: -1, initial_policy_version: null, metrics: {} },
  { group: 2, index: 0, reward: 2, advantage: 0, initial_policy_version: null, metrics: {} },
];

describe('GET /v1/preview/training-jobs/{training_job_id}/rollouts', () => {
  let app: TrainingApp;
  let caller: TestClient;
  let model: string;
  beforeAll(async () => {
    app = await startTrainingApp();
    caller = app.caller;
    model = await createModel(caller);
    await caller.post(
      '/v1/preview/artifacts/acme/p/groups',
      GROUPS.map((one) => JSON.stringify(one)).join('\n\n'),
      LINES,
    );
  });
  afterAll(() => app.close());

  const create = async (body: object): Promise<string> => {
    const answer = await caller.post(JOBS, { model_id: model, ...body });
    expect(answer.status).toBe(200);
    return answer.json().id;
  };
  const list = (job: string) => caller.get(`${JOBS}/${job}/rollouts`);
  const rounded = ({ data }: { data: { advantage: number }[] }) =>
    data.map((one) => ({ ...one, advantage: Math.round(one.advantage) || 0 }));

  it.each([
    ['the body of the job', { trajectory_groups: GROUPS }],
    ['an artifact', { training_data_url: 'hone-artifact:///acme/p/groups:v0' }],
    [
      'a data: URL',
      { training_data_url: `data:,${encodeURIComponent(GROUPS.map((one) => JSON.stringify(one)).join('\n'))}` },
    ],
  ])('lists those of %s with their advantages', async (_, body) => {
    const { status, json } = await list(await create(body));
    expect([status, json().object, rounded(json())]).toEqual([200, 'list', SUMMARIES]);
  });

  it('has advantages as the settings of the job scale them', async () => {
    const job = await create({ trajectory_groups: GROUPS, experimental_config: { scale_rewards: false } });
    expect((await list(job)).json().data.map(({ advantage }: { advantage: number }) => advantage)).toEqual([
      0.5, -0.5, 0,
    ]);
  });

  it('shows one as it was sent, digit by digit', async () => {
    const trajectory = '{"reward":1.0,"metadata":{"n":9223372036854775808}}';
    const body = `{"model_id":"${model}","trajectory_groups":[{"trajectories":[{},${trajectory}]}]}`;
    const { id } = (await caller.post(JOBS, body)).json();
    const { text, json } = await caller.get(`${JOBS}/${id}/rollouts/0/1`);
    expect(text).toContain(`"trajectory":${trajectory}`);
    expect(json()).toMatchObject({ group: 0, index: 1, reward: 1 });
  });

  it('shows one of a large body', async () => {
    const long = { messages_and_choices: said('x'.repeat(400_000)), reward: 1 };
    const job = await create({ trajectory_groups: [{ trajectories: [{}, long] }] });
    expect((await list(job)).json().data).toHaveLength(2);
    const { trajectory } = (await caller.get(`${JOBS}/${job}/rollouts/0/1`)).json();
    expect(trajectory).toEqual(long);
  });

  it.each(['0/9', '9/0', '-1/0', 'x/0', '0/1e3', `0/${'9'.repeat(30)}`])('has none at %s', async (position) => {
    const { status, json } = await caller.get(
      `${JOBS}/${await create({ trajectory_groups: GROUPS })}/rollouts/${position}`,
    );
    expect([status, json().code]).toEqual([404, 'rollout.not_found']);
  });

  it('says why there are none', async () => {
    const url = `data:,${encodeURIComponent('{"messages":[]}')}`;
    const examples = (
      await caller.post('/v1/preview/sft-training-jobs', { model_id: model, training_data_url: url })
    ).json();
    const elsewhere = await create({ training_data_url: 'https://example.com/groups.jsonl' });
    for (const job of [examples.id, elsewhere]) {
      const { status, json } = await list(job);
      expect([status, json().code]).toEqual([404, 'rollouts.not_kept']);
    }
  });
});
