import type { TinkerSettings } from '@hone/tinker';

import { addCheckpoints, createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const RL = '/v1/preview/training-jobs';
const SFT = '/v1/preview/sft-training-jobs';
const SERVER: TinkerSettings = {
  kind: 'tinker',
  name: 'skyrl',
  // Nothing listens there.
  url: 'http://127.0.0.1:9/api/v1',
  apiKey: null,
  baseModels: new Map([['large', { servedAs: 'large', path: null }]]),
  reduction: 'sequence_mean',
  gradientClip: 'none',
  lora: { rank: 32, alpha: 32, trainAttention: true, trainMlp: true, trainUnembed: false },
  maxBatch: 64,
  maxContext: null,
  concurrency: 2,
  archiveHosts: [],
};

describe('jobs of models that a training server has', () => {
  let app: TrainingApp;
  beforeAll(async () => {
    app = await startTrainingApp({ engines: [SERVER, { kind: 'embedded', name: 'embedded' }] });
  });
  afterAll(() => app.close());

  const rl = (model_id: string, experimental_config: object | null) =>
    app.caller.post(RL, { model_id, trajectory_groups: [], experimental_config });
  const sft = (model_id: string, config: object) =>
    app.caller.post(SFT, { model_id, training_data_url: 'data:,', config });
  const locsOf = ({ status, json }: Awaited<ReturnType<typeof rl>>) => [
    status,
    status === 422 ? json().detail.map(({ loc }: { loc: unknown[] }) => loc.join('.')) : [],
  ];

  it('are refused when they ask for what the server cannot do', async () => {
    const model = await createModel(app.caller, { base_model: 'large' });
    const lora = { rank: 8, alpha: 16, target_modules: ['q_proj'] };
    expect(locsOf(await rl(model, { max_grad_norm: 1, lora }))).toEqual([
      422,
      [
        'body.experimental_config.max_grad_norm',
        'body.experimental_config.lora.alpha',
        'body.experimental_config.lora.target_modules',
      ],
    ]);
    const variant = { use_rslora: true, rank_pattern: { q_proj: 4 }, alpha_pattern: { q_proj: 4 } };
    expect(locsOf(await rl(model, { lora: variant }))).toEqual([
      422,
      ['use_rslora', 'rank_pattern', 'alpha_pattern'].map((field) => `body.experimental_config.lora.${field}`),
    ]);
    const none = { use_rslora: false, rank_pattern: {}, alpha_pattern: null };
    expect(locsOf(await rl(model, { lora: none }))).toEqual([200, []]);
    const early_stopping = { patience: 1 };
    expect(locsOf(await sft(model, { validation_fraction: 0.5, early_stopping }))).toEqual([200, []]);
    expect(locsOf(await rl(model, { lora: { rank: 8, alpha: 32 } }))).toEqual([200, []]);
    expect(locsOf(await rl(model, null))).toEqual([200, []]);
  });

  it('are of a base that the server or a folder has', async () => {
    const asked = { entity: 'acme', project: 'p', name: 'elsewhere', base_model: 'small' };
    const { status, json } = await app.caller.post('/v1/preview/models', asked);
    expect([status, json().detail[0].msg]).toEqual([
      422,
      'Unknown base model. There are hone-tiny, large. Add one with: npm run models -- add',
    ]);
  });

  it('are as they were where the embedded engine trains', async () => {
    const model = await createModel(app.caller);
    const asked = { max_grad_norm: 1, lora: { rank: 8, alpha: 16, target_modules: ['q_proj'] } };
    expect(locsOf(await rl(model, asked))).toEqual([200, []]);
    // It has steps of the embedded engine from before the server was configured.
    const older = await createModel(app.caller, { base_model: 'large' });
    await addCheckpoints(app, older, [1]);
    await app.sql('UPDATE trainable_models SET last_step = 1 WHERE id = $1', [older]);
    expect(locsOf(await rl(older, asked))).toEqual([200, []]);
  });

  it('are refused when the engine that made the steps is not configured any more', async () => {
    const model = await createModel(app.caller, { base_model: 'large' });
    await app.sql(`UPDATE trainable_models SET engine = 'gone', last_step = 1 WHERE id = $1`, [model]);
    const { status, json } = await rl(model, null);
    expect([status, json()]).toEqual([
      409,
      {
        detail:
          "The model's steps were made by the engine 'gone', which is not configured any more: only there its training can go on.",
        code: 'engine.parent_elsewhere',
      },
    ]);
  });

  it('show in the system check whether the server answers', async () => {
    await app.sql(`INSERT INTO workers (id, host, version, engines) VALUES ('w', 'here', '0', '{embedded,skyrl}')`, []);
    const { status, json } = await app.caller.get('/v1/system-check');
    expect([status, json()]).toEqual([
      503,
      expect.objectContaining({
        gpu_queue: {
          success: false,
          duration: expect.any(Number),
          errors: ['The engine skyrl does not answer.'],
          configured: true,
        },
        engines: [
          { name: 'skyrl', kind: 'tinker', reachable: false, models: ['large'] },
          { name: 'embedded', kind: 'embedded', reachable: true, models: null },
        ],
      }),
    ]);
  });
});
