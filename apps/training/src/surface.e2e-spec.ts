import * as contracts from '@hone/contracts';
import { check, type Class, exampleOf } from '@hone/contracts';
import { openApiDocument } from '@hone/platform';
import { takenControlCharacters, type TestClient, walkRoutes } from '@hone/testing';

import { aModel, createModel, MODELS } from './models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from './training-app.fixture.js';

describe('the surface of the training service', () => {
  let training: TrainingApp;
  let caller: TestClient;
  let model: string;
  beforeAll(async () => {
    training = await startTrainingApp();
    caller = training.caller;
    model = await createModel(caller);
  });
  afterAll(() => training.close());

  it('guards every route and declares its status', () => {
    const routes = walkRoutes(training.app);
    expect(routes.length).toBeGreaterThanOrEqual(15);
    for (const route of routes) {
      expect({ ...route, hasStatus: route.statuses.length > 0 }).toMatchObject({ hasStatus: true });
      if (!route.isOpen) expect(route).toMatchObject({ guards: ['BearerAuthGuard'] });
    }
    const open = routes.filter(({ isOpen }) => isOpen).map(({ name }) => name);
    expect(open.sort()).toEqual(['ProbesController.health', 'ProbesController.metrics', 'ProbesController.ready']);
  });

  it('documents every route from the same classes', async () => {
    const document = await openApiDocument(training.app, { name: 'training', description: '', config: {} as never });
    const schemas = document.components?.schemas as Record<string, { properties?: Record<string, unknown> }>;
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/v1/preview/models',
        '/v1/preview/models/{model_id}',
        '/v1/preview/models/{model_id}/checkpoints',
        '/v1/preview/models/{model_id}/checkpoints/{step}',
        '/v1/preview/models/{model_id}/checkpoints/{step}/files/{path}',
        '/v1/preview/models/{model_id}/checkpoints/{step}/download',
        '/v1/preview/models/{model_id}/checkpoints/import',
        '/v1/preview/models/{model_id}/aliases',
        '/v1/preview/models/{model_id}/aliases/{alias}',
        '/v1/preview/models/{model_id}/aliases/{alias}/split',
        '/v1/preview/models/{model_id}/log',
        '/v1/preview/models/{model_id}/trajectories',
        '/v1/preview/artifacts',
        '/v1/preview/artifacts/{entity}/{project}/{name}',
        '/v1/preview/artifacts/{entity}/{project}/{name}/{version}',
        '/v1/preview/artifacts/{entity}/{project}/{name}/{version}/files/{path}',
        '/v1/preview/training-data/from-calls',
        '/v1/preview/training-data',
        '/v1/preview/checkpoints/{checkpoint_id}/lineage',
      ]),
    );
    for (const [, name] of JSON.stringify(document.paths).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      expect(Object.keys(schemas)).toContain(name);
    }
    expect(schemas['TrajectoryLogDto']).toMatchObject({
      required: ['split', 'trajectory_groups'],
      properties: { trajectory_groups: { type: 'array', maxItems: 4_096 } },
    });
    for (const operations of Object.values(document.paths)) {
      for (const operation of [operations.get, operations.post, operations.delete]) {
        if (operation) expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200']));
      }
    }
  });

  it.each(['TrainableModelCreateDto', 'CheckpointsDeleteDto', 'TrajectoryLogDto', 'TrainingDataFromCallsDto'] as const)(
    'shows an example of %s that is valid',
    (name) => {
      const type = contracts[name] as Class;
      expect(check(type, exampleOf(type)).issues).toEqual([]);
    },
  );

  const HOSTILE: [string, string][] = [
    ['10,000 levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['10,000 levels in a field', `{"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
    ['a prototype', '{"__proto__":{"isAdmin":true,"steps":[1]},"constructor":{"prototype":{}}}'],
    ['5,000 wrong fields', JSON.stringify({ steps: Array.from({ length: 5_000 }, () => 'x') })],
    ['a null character', '{"project":"\\u0000","name":"a\\u0000","base_model":"\\u0000","split":"\\u0000"}'],
    ['a lone surrogate', '{"project":"\\ud800","name":"\\udc00","base_model":"\\ud800","split":"\\ud800"}'],
    ['numbers beyond all bounds', '{"steps":[1e999,-1e999,1e-999],"name":1e400}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('latin1')],
    ['no JSON', '{"a":'],
    ['a text', '"text"'],
    ['a byte order mark', '\ufeff{}'],
  ];

  it.each(HOSTILE)('answers %s without a 5xx, bounded', async (_what, body) => {
    const requests = [
      caller.post(MODELS, body),
      caller.delete(`${MODELS}/${model}/checkpoints`, body),
      caller.post(`${MODELS}/${model}/log`, body),
      caller.post('/v1/preview/training-jobs', body),
      caller.post('/v1/preview/sft-training-jobs', body),
      caller.post('/v1/preview/preference-training-jobs', body),
      caller.post('/v1/preview/training-data/from-calls', body),
    ];
    for (const { status, json } of await Promise.all(requests)) {
      expect(status).toBe(422);
      expect(json().detail.length).toBeGreaterThan(0);
      expect(json().detail.length).toBeLessThanOrEqual(100);
    }
    expect((await caller.get('/healthz')).status).toBe(200);
  });

  it('ignores keys that look like more than keys', async () => {
    const body = JSON.stringify(aModel({ name: 'harmless' })).replace('{', '{"__proto__":{"name":"x"},"toString":1,');
    expect((await caller.post(MODELS, body)).json()).toMatchObject({ name: 'harmless' });
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  it.each(["'%20OR%201=1", '..%2f..%2fetc', '%00', '%ff', 'x'.repeat(3_000), '%F0%9F%9A%82'])(
    'answers the id %.30s with a 404 or a 422',
    async (id) => {
      for (const path of [`${MODELS}/${id}`, `${MODELS}/${id}/checkpoints`, `${MODELS}/${id}/trajectories`]) {
        expect([404, 422]).toContain((await caller.get(path)).status);
      }
      expect([404, 422]).toContain((await caller.delete(`${MODELS}/${id}`)).status);
    },
  );

  it('refuses a control character in any path parameter', async () => {
    const admin = await training.user('root', { isAdmin: true });
    expect(await takenControlCharacters(training.app, `Bearer ${admin.key}`)).toEqual([]);
  });

  it('tells another method from another path', async () => {
    const wrong = await caller.put(`${MODELS}/${model}`, {});
    expect([wrong.status, wrong.json().code]).toEqual([405, 'route.method']);
    const nowhere = await caller.get(`${MODELS}/${model}/nothing`);
    expect([nowhere.status, nowhere.json().code]).toEqual([404, 'route.not_found']);
  });

  it('takes a body of another content type for none of its own', async () => {
    const { status, json } = await caller.post(MODELS, '{}', { headers: { 'content-type': 'text/plain' } });
    expect([status, json().detail]).toMatchObject([422, [{ loc: ['body'], type: 'value_error' }]]);
  });

  it('says 503 while the store cannot be used', async () => {
    const broken = await startTrainingApp({ dataDir: '/dev/null/nothing' });
    try {
      const id = await createModel(broken.caller);
      const body = { split: 's', trajectory_groups: [] };
      const { status, json, headers } = await broken.caller.post(`${MODELS}/${id}/log`, body);
      expect([status, json().code, headers['retry-after']]).toEqual([503, 'storage.unavailable', '5']);
      expect(await broken.sql('SELECT 1 FROM log_batches')).toEqual([]);
      const ready = await broken.caller.get('/readyz');
      expect([ready.status, ready.json().checks]).toEqual([503, { database: 'up', artifacts: 'down', disk: 'up' }]);
    } finally {
      await broken.close();
    }
  });
});
