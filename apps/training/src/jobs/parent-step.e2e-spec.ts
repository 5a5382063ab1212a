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

  describe('by an alias', () => {
    const setting = { parent_alias: 'production' };
    const rlFrom = (config: object, path = 'training-jobs') =>
      app.caller.post(`${P}/${path}`, { model_id: modelId, trajectory_groups: [], experimental_config: config });
    const sftFrom = (config: object, path = 'sft-training-jobs') =>
      app.caller.post(`${P}/${path}`, { model_id: modelId, training_data_url: 'data:,x', config });
    const point = (step: number) => app.caller.put(`${MODELS}/${modelId}/aliases/production`, { step });
    const stepOf = (response: { json(): { config: { parent_step: number } } }) => response.json().config.parent_step;

    it('is the step that it names when the job is created', async () => {
      for (const step of [1, 0, 3]) {
        expect((await point(step)).status).toBe(200);
        const jobs = [await rlFrom(setting), await sftFrom(setting)];
        expect(jobs.map(({ status }) => status)).toEqual([200, 200]);
        await point(1);
        expect(jobs.map(stepOf)).toEqual([step, step]);
        for (const job of jobs) {
          const { id } = job.json() as { id: string };
          expect(stepOf(await app.caller.get(`${P}/training-jobs/${id}`))).toBe(step);
        }
      }
      expect((await rlFrom(setting, 'training-jobs/diagnose')).status).toBe(200);
    });

    it('is refused where the model has none', async () => {
      const jobs = await app.db.client.trainingJob.count();
      const none = { parent_alias: 'nowhere' };
      const responses = [
        await rlFrom(none),
        await sftFrom(none),
        await rlFrom(none, 'training-jobs/diagnose'),
        await sftFrom(none, 'sft-training-jobs/diagnose'),
      ];
      for (const response of responses) {
        expect([response.status, response.json().code]).toEqual([404, 'checkpoint.alias_not_found']);
      }
      expect((await rlFrom({ ...setting, parent_step: 1 })).status).toBe(422);
      expect(await app.db.client.trainingJob.count()).toBe(jobs);
    });
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
