import { newId } from '@hone/database';
import { basic, type TestUser, until } from '@hone/testing';

import { addCheckpoints, aModel, createModel, MODELS } from './models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from './training-app.fixture.js';

const SPLIT = { arms: [{ name: 'candidate', model: 'hone-tiny', weight: 0.1 }] };
const ID = newId();
const ROUTES = [
  ['post', MODELS],
  ['get', MODELS],
  ['get', `${MODELS}/${ID}`],
  ['delete', `${MODELS}/${ID}`],
  ['get', `${MODELS}/${ID}/checkpoints`],
  ['delete', `${MODELS}/${ID}/checkpoints`],
  ['get', `${MODELS}/${ID}/checkpoints/1`],
  ['get', `${MODELS}/${ID}/checkpoints/1/files/state.json`],
  ['post', `${MODELS}/${ID}/checkpoints/import`],
  ['get', `${MODELS}/${ID}/checkpoints/1/download`],
  ['get', `${MODELS}/${ID}/aliases`],
  ['put', `${MODELS}/${ID}/aliases/production`],
  ['delete', `${MODELS}/${ID}/aliases/production`],
  ['get', `${MODELS}/${ID}/aliases/production/split`],
  ['put', `${MODELS}/${ID}/aliases/production/split`],
  ['delete', `${MODELS}/${ID}/aliases/production/split`],
  ['post', `${MODELS}/${ID}/log`],
  ['get', `${MODELS}/${ID}/trajectories`],
  ['get', '/v1/preview/artifacts'],
  ['post', '/v1/preview/artifacts/acme/p/a'],
  ['get', '/v1/preview/artifacts/acme/p/a/v0/files/f'],
  ['delete', '/v1/preview/artifacts/acme/p/a/v0'],
  ['post', '/v1/preview/training-data/from-calls'],
  ['get', '/v1/preview/training-data'],
  ['get', `/v1/preview/checkpoints/${ID}/lineage`],
  ['post', '/v1/preview/training-jobs'],
  ['post', '/v1/preview/sft-training-jobs'],
  ['post', '/v1/preview/preference-training-jobs'],
  ['get', '/v1/preview/training-jobs'],
  ['get', `/v1/preview/training-jobs/${ID}`],
  ['get', `/v1/preview/training-jobs/${ID}/events`],
  ['get', `/v1/preview/training-jobs/${ID}/rollouts`],
  ['get', `/v1/preview/training-jobs/${ID}/rollouts/0/0`],
  ['post', `/v1/preview/training-jobs/${ID}/cancel`],
  ['get', '/v1/health'],
  ['get', '/v1/system-check'],
] as const;

describe('access to the training service', () => {
  let training: TrainingApp;
  let expired: TestUser;
  beforeAll(async () => {
    training = await startTrainingApp();
    expired = await training.user('expired', { expiresAt: new Date(Date.now() - 1_000) });
  });
  afterAll(() => training.close());

  it.each(ROUTES)('%s %s answers 401 without credentials, and with bad ones', async (method, path) => {
    const without = await training.as(undefined)[method](path);
    expect([without.status, without.json().code, without.headers['www-authenticate']]).toEqual([
      401,
      'auth.missing',
      'Bearer realm="hone"',
    ]);
    const bad = [
      'Bearer',
      'Bearer hone_unknown',
      `Bearer ${expired.key}`,
      basic('api', training.writer.key),
      'Digest x',
    ];
    for (const header of bad) {
      const client = training.as(header);
      const response = await (method === 'get' ? client.get(path) : client[method](path, '{'));
      expect([response.status, response.json().code, response.headers['www-authenticate']]).toEqual([
        401,
        'auth.invalid',
        'Bearer realm="hone"',
      ]);
    }
  });

  it('ends with the key', async () => {
    const user = await training.user('leaving', { roles: { acme: 'reader' } });
    expect((await training.by(user).get(MODELS)).status).toBe(200);
    await training.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [user.keyId]);
    await training.sql(`SELECT pg_notify('hone_auth', $1)`, [user.id]);
    // Without the notification it would be known for half a minute.
    await until(async () => (await training.by(user).get(MODELS)).status === 401, 'the end of the key', 25_000);
  });

  it('ends with the role, but for the answer to a write that was made before', async () => {
    const user = await training.user('former', { roles: { acme: 'writer' } });
    const client = training.by(user);
    const headers = { 'idempotency-key': 'before' };
    const create = () => client.post(MODELS, aModel({ name: 'of-a-former-member' }), { headers });
    const first = await create();
    await training.sql('DELETE FROM memberships WHERE user_id = $1', [user.id]);
    await training.sql(`SELECT pg_notify('hone_auth', $1)`, [user.id]);
    const read = () => client.get(`${MODELS}/${first.json().id}`);
    await until(async () => (await read()).status === 403, 'the end of the role', 25_000);
    const again = await create();
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    expect((await client.post(MODELS, aModel({ name: 'another' }))).status).toBe(403);
  });

  describe('of members', () => {
    let model: string;
    beforeAll(async () => {
      model = await createModel(training.caller, { name: 'shared' });
      await addCheckpoints(training, model, [1]);
      const body = { split: 'val', trajectory_groups: [{ trajectories: [{ reward: 1 }] }] };
      await training.caller.post(`${MODELS}/${model}/log`, body);
      const headers = { 'content-type': 'application/jsonl' };
      await training.caller.post('/v1/preview/artifacts/acme/p/data', 'x', { headers });
    });

    const reads = () => [
      MODELS,
      `${MODELS}/${model}`,
      `${MODELS}/${model}/checkpoints`,
      `${MODELS}/${model}/aliases`,
      `${MODELS}/${model}/trajectories`,
      '/v1/preview/artifacts',
      '/v1/preview/artifacts/acme/p/data/v0/files/train.jsonl',
    ];
    const writes = () =>
      [
        ['post', MODELS, aModel({ name: 'mine' })],
        ['post', MODELS, aModel({ name: 'shared', return_existing: true })],
        ['delete', `${MODELS}/${model}/checkpoints`, { steps: [1] }],
        ['put', `${MODELS}/${model}/aliases/production`, { step: 1 }],
        ['put', `${MODELS}/${model}/aliases/production/split`, SPLIT],
        ['delete', `${MODELS}/${model}/aliases/production/split`, undefined],
        ['delete', `${MODELS}/${model}/aliases/production`, undefined],
        ['post', `${MODELS}/${model}/log`, { split: 's', trajectory_groups: [] }],
        ['post', '/v1/preview/training-jobs', { model_id: model, trajectory_groups: [] }],
        ['delete', '/v1/preview/artifacts/acme/p/data/v0', undefined],
        ['delete', `${MODELS}/${model}`, undefined],
      ] as const;

    it.each(['reader', 'annotator'] as const)('%s: every read, no write', async (role) => {
      const client = training.by(await training.user(`a-${role}`, { roles: { acme: role } }));
      for (const path of reads()) expect([path, (await client.get(path)).status]).toEqual([path, 200]);
      for (const [method, path, body] of writes()) {
        const { status, json } = await client[method](path, body);
        expect([path, status, json()]).toEqual([
          path,
          403,
          { detail: "This needs the role 'writer' on entity 'acme'.", code: 'access.denied' },
        ]);
      }
      const headers = { 'content-type': 'application/jsonl' };
      expect((await client.post('/v1/preview/artifacts/acme/p/data', 'x', { headers })).status).toBe(403);
      expect((await training.caller.get(`${MODELS}/${model}`)).json()).toMatchObject({
        checkpoint_count: 1,
        open_jobs: 0,
      });
    });

    it('none: 403, and the answer does not reveal what exists', async () => {
      const stranger = training.by(await training.user('stranger'));
      for (const path of ['', '/checkpoints', '/aliases', '/trajectories'].map((end) => `${MODELS}/${model}${end}`)) {
        const { status, json } = await stranger.get(path);
        expect([status, json()]).toEqual([403, { detail: 'You have no access to this model.', code: 'access.denied' }]);
      }
      for (const [method, path, body] of writes()) {
        const { status, text } = await stranger[method](path, body);
        expect([path, status]).toEqual([path, 403]);
        expect(text).not.toMatch(/shared|hone-tiny/);
      }
      for (const path of [MODELS, '/v1/preview/artifacts', '/v1/preview/training-jobs']) {
        expect((await stranger.get(path)).json()).toMatchObject({ data: [], has_more: false });
      }
    });

    it.each([
      ['of another project', { onlyProject: 'acme/other' }],
      ['without the scope', { scopes: ['trace' as const] }],
    ])('a key %s: 403', async (what, options) => {
      const client = training.by(
        await training.user(what.replaceAll(' ', '-'), { roles: { acme: 'owner' }, ...options }),
      );
      expect((await client.get(`${MODELS}/${model}`)).status).toBe(403);
      expect((await client.post(MODELS, aModel())).status).toBe(403);
    });
  });
});
