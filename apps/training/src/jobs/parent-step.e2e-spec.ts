import { addCheckpoints, createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const P = '/v1/preview';

describe('parent_step of a job', () => {
  let app: TrainingApp;
  let modelId: string;
  beforeAll(async () => {
    app = await startTrainingApp();
    modelId = await createModel(app.caller);
    await addCheckpoints(app, modelId, [1, 2, 3]);
    await app.caller.delete(`${MODELS}/${modelId}/checkpoints`, { steps: [2] });
  });
  afterAll(() => app.close());

  const rl = (parent_step: unknown, path = 'training-jobs') =>
    app.caller.post(`${P}/${path}`, { model_id: modelId, trajectory_groups: [], experimental_config: { parent_step } });
  const sft = (parent_step: unknown, path = 'sft-training-jobs') =>
    app.caller.post(`${P}/${path}`, { model_id: modelId, training_data_url: 'data:,x', config: { parent_step } });

  it.each([0, 1, 3, null])('may be %j', async (step) => {
    for (const response of [await rl(step), await sft(step)]) {
      expect([response.status, response.json().config.parent_step]).toEqual([200, step]);
    }
    expect((await rl(step, 'training-jobs/diagnose')).status).toBe(200);
  });

  it.each([2, 4, 2_147_483_647])('may not be %d, a step that the model does not have', async (step) => {
    const jobs = await app.db.client.trainingJob.count();
    const responses = [
      await rl(step),
      await sft(step),
      await rl(step, 'training-jobs/diagnose'),
      await sft(step, 'sft-training-jobs/diagnose'),
    ];
    for (const response of responses) {
      expect([response.status, response.json()]).toEqual([
        404,
        {
          detail: `The model has no checkpoint at step ${step}, which parent_step names.`,
          code: 'checkpoint.not_found',
        },
      ]);
    }
    expect(await app.db.client.trainingJob.count()).toBe(jobs);
  });

  it('is not a step of another model', async () => {
    const other = await createModel(app.caller);
    const body = { model_id: other, trajectory_groups: [], experimental_config: { parent_step: 1 } };
    expect((await app.caller.post(`${P}/training-jobs`, body)).status).toBe(404);
  });

  it('is named in the diagnosis of rollouts that another step has sampled', async () => {
    const trajectories = [{ initial_policy_version: 2, reward: 1, messages_and_choices: [] }];
    const stale = async (parent_step: number | null) => {
      const body = { model_id: modelId, trajectory_groups: [{ trajectories }], experimental_config: { parent_step } };
      const { issues } = (await app.caller.post(`${P}/training-jobs/diagnose`, body)).json();
      return issues.filter(({ code }: { code: string }) => code === 'stale_policy').length;
    };
    expect([await stale(null), await stale(3), await stale(1)]).toEqual([1, 1, 0]);
  });
});
