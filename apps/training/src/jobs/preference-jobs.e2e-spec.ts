import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const JOBS = '/v1/preview/preference-training-jobs';
const PAIR = '{"prompt":"a, ä","chosen":"b","rejected":"c"}';

let app: TrainingApp;
beforeAll(async () => {
  app = await startTrainingApp();
});
afterAll(() => app.close());

const create = async (config: unknown, url = `data:,${encodeURIComponent(PAIR)}`) =>
  app.caller.post(JOBS, { model_id: await createModel(app.caller), training_data_url: url, config });

describe('POST /v1/preview/preference-training-jobs', () => {
  it('queues a job with its settings in effect, and copies the lines of a data: URL', async () => {
    const { status, json } = await create(null);
    expect([status, json()]).toMatchObject([
      200,
      {
        kind: 'preference',
        status: 'queued',
        config: {
          method: 'dpo',
          beta: 0.1,
          label_smoothing: 0,
          reference: 'parent',
          batch_size: 8,
          n_epochs: 3,
          learning_rate: 5e-4,
        },
      },
    ]);
    const row = await app.db.client.trainingJob.findUniqueOrThrow({ where: { id: json().id } });
    expect((await app.store.read(row.inputUri as string, row.inputSha256 as string)).toString()).toBe(PAIR);
  });

  it('is listed, read and cancelled as any job', async () => {
    const { id } = (await create({ method: 'kto', desirable_weight: 2 })).json();
    const listed = await app.caller.get('/v1/preview/training-jobs?kind=preference&limit=1');
    expect(listed.json().data).toMatchObject([
      { id, kind: 'preference', config: { desirable_weight: 2, batch_size: 8 } },
    ]);
    expect((await app.caller.post(`/v1/preview/training-jobs/${id}/cancel`)).json()).toMatchObject({
      id,
      status: 'cancelled',
    });
  });

  it.each([
    ['an unknown method', { method: 'ppo' }, ['method'], 'enum'],
    ['a beta of 0', { beta: 0 }, ['beta'], 'greater_than'],
    ['a label smoothing of a half', { label_smoothing: 0.5 }, ['label_smoothing'], 'less_than_equal'],
    ['a number that is text', { beta: '0.1' }, ['beta'], 'float_type'],
    ['a setting of KTO beside DPO', { desirable_weight: 2 }, ['desirable_weight'], 'value_error'],
    ['a reference beside ORPO', { method: 'orpo', reference: 'base' }, ['reference'], 'value_error'],
    ['lambda beside KTO', { method: 'kto', lambda: 1 }, ['lambda'], 'value_error'],
    [
      'two sources of validation',
      { validation_data_url: 'data:,x', validation_fraction: 0.5 },
      ['validation_fraction'],
      'value_error',
    ],
  ])('refuses %s', async (_name, config, path, type) => {
    const { status, json } = await create(config);
    expect([status, json().detail]).toMatchObject([422, [{ loc: ['body', 'config', ...path], type }]]);
  });

  it('warns of a setting that it does not know', async () => {
    const { json } = await create({ method: 'dpo', bta: 0.2 });
    expect(json().warnings).toMatchObject([{ code: 'config.unknown_key', hint: 'Did you mean beta?' }]);
  });
});
