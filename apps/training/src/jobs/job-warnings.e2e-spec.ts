import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

let app: TrainingApp;
let modelId: string;
beforeAll(async () => {
  app = await startTrainingApp();
  modelId = await createModel(app.caller);
});
afterAll(() => app.close());

const UNKNOWN = {
  code: 'config.unknown_key',
  message: 'The setting experimental_config.learning_rat is unknown and has no effect.',
  hint: 'Did you mean learning_rate?',
  loc: ['experimental_config', 'learning_rat'],
};

describe('warnings of a job', () => {
  it('name settings that nobody knows, in the job and in its first event', async () => {
    const created = await app.caller.post('/v1/preview/training-jobs', {
      model_id: modelId,
      trajectory_groups: [{ trajectories: [{ reward: 1 }, { reward: 0 }] }],
      experimental_config: { learning_rat: 1e-3 },
    });
    expect([created.status, created.json().warnings]).toEqual([200, [UNKNOWN]]);
    const path = `/v1/preview/training-jobs/${created.json().id}`;
    expect((await app.caller.get(path)).json().warnings).toEqual([UNKNOWN]);
    await app.caller.post(`${path}/cancel`);
    const events = (await app.caller.get(`${path}/events`)).json().data;
    expect(events).toMatchObject([{ type: 'training_failed', data: { code: 'job.cancelled', warnings: [UNKNOWN] } }]);
  });

  it('are there for fine-tuning too, and whatever the keys are', async () => {
    const body =
      `{"model_id":"${modelId}","training_data_url":"data:,x","confg":{},` +
      '"config":{"colour":3,"\\u0000\\ud800":1,"__proto__":2}}';
    const created = await app.caller.post('/v1/preview/sft-training-jobs', body);
    expect(created.status).toBe(200);
    const found = (await app.caller.get(`/v1/preview/training-jobs/${created.json().id}`)).json().warnings;
    expect(found).toEqual(created.json().warnings);
    const byKey = new Map(found.map((one: typeof UNKNOWN) => [one.loc.join('.'), one.hint]));
    expect(byKey).toEqual(
      new Map([
        ['confg', 'Did you mean config?'],
        ['config.colour', null],
        ['config.__proto__', null],
        ['config.\ufffd\ufffd', null],
      ]),
    );
  });

  it.each([
    ['data.no_trajectories', [{}]],
    ['data.no_trajectories', []],
    ['data.equal_rewards', [{ trajectories: [{ reward: 1 }, { reward: 1 }] }, { trajectories: [{ reward: 0 }] }]],
  ])('name rewards that tell nothing apart when the job is created: %s', async (code, trajectory_groups) => {
    const created = await app.caller.post('/v1/preview/training-jobs', { model_id: modelId, trajectory_groups });
    const loc = ['trajectory_groups'];
    expect(created.json().warnings).toEqual([{ code, message: expect.any(String), hint: expect.any(String), loc }]);
  });

  it('name a learning rate that is far off when the job is created', async () => {
    const sft = (config: object) =>
      app.caller.post('/v1/preview/sft-training-jobs', { model_id: modelId, training_data_url: 'data:,x', config });
    expect((await sft({ learning_rate: 5e-5 })).json().warnings).toMatchObject([{ code: 'config.learning_rate_low' }]);
    expect((await sft({ learning_rate: 1 })).json().warnings).toMatchObject([{ code: 'config.learning_rate_high' }]);
  });

  it('are none for a job that names no learning rate: it has the one that suits the base', async () => {
    const body = { model_id: modelId, training_data_url: 'data:,x' };
    const { config, warnings } = (await app.caller.post('/v1/preview/sft-training-jobs', body)).json();
    expect(config.learning_rate).toBe(2e-3);
    expect(warnings).toEqual([]);
  });

  it('are none for settings that are known', async () => {
    const created = await app.caller.post('/v1/preview/sft-training-jobs', {
      model_id: modelId,
      training_data_url: 'data:,x',
      config: { learning_rate: [1e-3], n_epochs: 3, seed: 1, metric_logging: { enabled: true } },
    });
    expect(created.json().warnings).toEqual([]);
  });
});
