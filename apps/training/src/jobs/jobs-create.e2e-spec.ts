import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { resolveRlConfig } from '@hone/engine';

import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const JOBS = '/v1/preview/training-jobs';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const GROUPS = [{ trajectories: [{ reward: 1 }, {}] }, {}];

let app: TrainingApp;
beforeAll(async () => {
  app = await startTrainingApp({ openJobsPerModel: 3 });
});
afterAll(() => app.close());

const create = (modelId: string, more: object = {}, headers = {}) =>
  app.caller.post(JOBS, { model_id: modelId, trajectory_groups: GROUPS, ...more }, { headers });
const countJobs = async (modelId: string) => app.db.client.trainingJob.count({ where: { modelId } });

describe('POST /v1/preview/training-jobs', () => {
  it('queues a job and answers all of it', async () => {
    const modelId = await createModel(app.caller);
    const config = { learning_rate: 1e-5, loss_fn: 'cispo', ppo: false, epsilon: null };
    const response = await create(modelId, { experimental_config: config });
    const job = response.json();
    expect([response.status, job]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        object: 'training_job',
        kind: 'rl',
        status: 'queued',
        model_id: modelId,
        entity: 'acme',
        project: 'p',
        attempt: 0,
        queue_position: expect.any(Number),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        started_at: null,
        finished_at: null,
        cancel_requested_at: null,
        deadline_at: expect.any(String),
        progress: { gradient_steps_done: 0, gradient_steps_total: null, fraction: null, phase: null },
        tokens: { input: 0, trainable: 0, processed: 0 },
        timings_ms: { queued: expect.any(Number), preparing: 0, running: 0, total: expect.any(Number) },
        parent_checkpoint: null,
        produced_checkpoint: null,
        config: { ...resolveRlConfig({ learning_rate: 1e-5 }) },
        training_data_url: null,
        rollouts: null,
        metrics: {},
        data: {
          ...{ groups_submitted: 2, groups_trainable: 0, trajectories: 2, trajectories_trained: 0, dropped: {} },
          ...{ reward_mean: null, reward_std_dev: null, reward_zero_share: null },
        },
        warnings: [expect.objectContaining({ code: 'config.learning_rate_low' })],
        error: null,
      },
    ]);
    expect(new Date(job.deadline_at).getTime() - new Date(job.created_at).getTime()).toBe(86_400_000);
    expect((await app.caller.get(`${JOBS}/${job.id}`)).json()).toMatchObject({ id: job.id, status: 'queued' });
  });

  it('keeps the body byte for byte, whatever is in it, sent plain or packed', async () => {
    const modelId = await createModel(app.caller);
    const content = 'a\\u0000\\ud800, "x":1.0, "x":9223372036854775808';
    const body =
      `\ufeff{"model_id":"${modelId}","__proto__":1,"trajectory_groups":[{"trajectories":` +
      `[{"messages_and_choices":[{"role":"user","content":"${content.replaceAll('"', '\\"')}"}],"reward":1.0}]}]}`;
    for (const [bytes, headers] of [
      [Buffer.from(body), {}],
      [gzipSync(body), { 'content-encoding': 'gzip' }],
    ] as const) {
      const response = await app.caller.post(JOBS, bytes, { headers });
      expect(response.status).toBe(200);
      const { inputUri, inputSha256, inputBytes } = await app.db.client.trainingJob.findUniqueOrThrow({
        where: { id: response.json().id },
      });
      const stored = await app.store.read(inputUri as string, inputSha256 as string);
      expect(stored.toString()).toBe(body.slice(1));
      expect(Number(inputBytes)).toBe(stored.length);
    }
  });

  it('takes a body that is read in another thread', async () => {
    const modelId = await createModel(app.caller);
    const message = { role: 'user', content: 'x'.repeat(1_000) };
    const groups = Array.from({ length: 50 }, () => ({
      trajectories: [{ messages_and_choices: Array(50).fill(message) }],
    }));
    const body = JSON.stringify({ model_id: modelId, trajectory_groups: groups });
    const response = await app.caller.post(JOBS, body);
    expect([response.status, response.json().data]).toMatchObject([200, { groups_submitted: 50, trajectories: 50 }]);
    const row = await app.db.client.trainingJob.findUniqueOrThrow({ where: { id: response.json().id } });
    expect(row.inputSha256).toBe(createHash('sha256').update(body).digest('hex'));
    const bad = await app.caller.post(JOBS, body.replace('"role":"user"', '"role":7'));
    expect([bad.status, bad.json()]).toEqual([
      422,
      {
        detail: [
          {
            loc: ['body', 'trajectory_groups', 0, 'trajectories', 0, 'messages_and_choices', 0, 'role'],
            msg: 'Input should be a valid string',
            type: 'string_type',
          },
        ],
      },
    ]);
  });

  it('takes the URL of groups in their place, and one of the two', async () => {
    const modelId = await createModel(app.caller);
    const lines = '{"trajectories":[{"reward":1},{}]}\n';
    const uploaded = (
      await app.caller.post('/v1/preview/artifacts/acme/p/groups', Buffer.from(lines), {
        headers: { 'content-type': 'application/jsonl' },
      })
    ).json();
    const send = async (more: object) => app.caller.post(JOBS, { model_id: modelId, ...more });
    for (const url of [uploaded.url, `${uploaded.url}/train.jsonl`]) {
      const job = await send({ training_data_url: url });
      expect([job.status, job.json()]).toMatchObject([200, { kind: 'rl', data: { groups_submitted: 0 } }]);
      const row = await app.db.client.trainingJob.findUniqueOrThrow({ where: { id: job.json().id } });
      expect(row).toMatchObject({ trainingDataUrl: url, dataVersionId: uploaded.id, inputUri: null });
    }
    const copied = await send({ training_data_url: `data:,${encodeURIComponent(lines)}` });
    const row = await app.db.client.trainingJob.findUniqueOrThrow({ where: { id: copied.json().id } });
    expect((await app.store.read(row.inputUri as string, row.inputSha256 as string)).toString()).toBe(lines);
    const issues = async (more: object) =>
      (await send(more)).json().detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [loc.at(-1), type]);
    expect(await issues({ training_data_url: uploaded.url, trajectory_groups: [] })).toEqual([
      ['training_data_url', 'value_error'],
    ]);
    expect(await issues({})).toEqual([['trajectory_groups', 'missing']]);
    expect(await issues({ training_data_url: null })).toEqual([['trajectory_groups', 'missing']]);
    expect(await issues({ training_data_url: 'file:///etc/passwd' })).toEqual([['training_data_url', 'value_error']]);
    const none = await send({ training_data_url: `${uploaded.url}/other.jsonl` });
    expect([none.status, none.json().code]).toEqual([404, 'artifact.not_found']);
  });

  it('answers defaults for a configuration of nulls', async () => {
    const config = Object.fromEntries(Object.keys(resolveRlConfig({})).map((key) => [key, null]));
    const response = await create(await createModel(app.caller), { experimental_config: config });
    expect(response.json().config).toEqual(resolveRlConfig({ learning_rate: 2e-3 }));
  });

  it.each([
    [{ loss_fn: 'cispo', ppo: true }, 'ppo'],
    [{ kl_penalty_reference_step: 1, kl_penalty_step_lag: 1 }, 'kl_penalty_step_lag'],
    [{ kl_ref_adapter_path: '/etc/passwd' }, 'kl_ref_adapter_path'],
  ])('refuses the configuration %j and stores nothing', async (config, field) => {
    const modelId = await createModel(app.caller);
    const response = await create(modelId, { experimental_config: config });
    expect(response.status).toBe(422);
    expect(response.json()).toMatchObject({
      detail: [{ loc: ['body', 'experimental_config', field], type: 'value_error' }],
    });
    expect(await countJobs(modelId)).toBe(0);
  });

  it.each([
    ['no body', undefined, [['body'], 'missing']],
    ['a list', '[]', [['body'], 'dict_type']],
    ['bad JSON', '{"model_id":', [['body', 12], 'json_invalid']],
    ['a number beyond all doubles', '{"model_id":1e999}', [['body', 'model_id'], 'finite_number']],
    ['10,000 levels', `{"a":${'['.repeat(10_000)}`, [expect.arrayContaining(['body']), 'json_too_deep']],
  ])('says what is wrong with %s', async (_, body, [loc, type]) => {
    const response = await app.caller.post(JOBS, body);
    expect([response.status, response.json().detail]).toMatchObject([422, [{ loc, type }]]);
  });

  it('lists at most 100 errors of a bad body', async () => {
    const groups = [{ trajectories: Array.from({ length: 5_000 }, () => ({ reward: '1' })) }];
    const response = await create(await createModel(app.caller), { trajectory_groups: groups });
    expect([response.status, response.json().detail.length]).toEqual([422, 100]);
  });

  it('knows no such model, and no deleted one', async () => {
    const deleted = await createModel(app.caller);
    await app.sql('UPDATE trainable_models SET deleted_at = now() WHERE id = $1', [deleted]);
    for (const id of [UNKNOWN, deleted]) {
      const response = await create(id);
      expect([response.status, response.json().code]).toEqual([404, 'model.not_found']);
    }
  });

  it('needs the role writer and the scope', async () => {
    const modelId = await createModel(app.caller);
    const callers = [
      await app.user('rl-reader', { roles: { acme: 'reader' } }),
      await app.user('rl-annotator', { roles: { acme: 'annotator' } }),
      await app.user('rl-stranger'),
      await app.user('rl-tracer', { roles: { acme: 'owner' }, scopes: ['trace'] }),
      await app.user('rl-elsewhere', { roles: { acme: 'owner' }, onlyProject: 'acme/other' }),
    ];
    for (const caller of callers) {
      const response = await app.by(caller).post(JOBS, { model_id: modelId, trajectory_groups: [] });
      expect([response.status, response.json().code]).toEqual([403, 'access.denied']);
      expect(response.text).not.toContain(modelId);
    }
    expect(await countJobs(modelId)).toBe(0);
  });

  it('refuses one open job too many and stores nothing of it', async () => {
    const modelId = await createModel(app.caller);
    const [first] = [await create(modelId), await create(modelId), await create(modelId)];
    const files = async () => {
      let count = 0;
      for await (const _ of app.store.list('jobs')) count++;
      return count;
    };
    const before = await files();
    const response = await create(modelId);
    expect([response.status, response.headers['retry-after'], response.json()]).toEqual([
      429,
      '30',
      {
        detail: 'This model has 3 open training jobs, which is the limit; wait for one to end, or cancel one.',
        code: 'quota.queue_full',
      },
    ]);
    expect([await countJobs(modelId), await files()]).toEqual([3, before]);
    await app.caller.post(`${JOBS}/${first?.json().id}/cancel`);
    expect((await create(modelId)).status).toBe(200);
  });

  it('keeps to the limit when many come at once', async () => {
    const modelId = await createModel(app.caller);
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => create(modelId)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    expect(await countJobs(modelId)).toBe(3);
  });

  it('makes one job of one key, and tells another body from it', async () => {
    const modelId = await createModel(app.caller);
    const key = { 'idempotency-key': `rl-${modelId}` };
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(modelId, {}, key)));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    expect(await countJobs(modelId)).toBe(1);
    const other = await create(modelId, { experimental_config: { learning_rate: 1 } }, key);
    expect([other.status, other.json().code]).toEqual([409, 'idempotency.key_reused']);
    const someoneElse = await app.user('rl-other', { roles: { acme: 'writer' } });
    const body = { model_id: modelId, trajectory_groups: GROUPS };
    expect((await app.by(someoneElse).post(JOBS, body, { headers: key })).json().id).not.toBe(responses[0]?.json().id);
    await create(modelId);
    expect(await countJobs(modelId)).toBe(3);
  });

  it('answers 401 without credentials, whatever was sent', async () => {
    const response = await app.as(undefined).post(JOBS, 'x');
    expect([response.status, response.headers['www-authenticate']]).toEqual([401, 'Bearer realm="hone"']);
  });
});
