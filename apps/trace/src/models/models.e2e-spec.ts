import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { anObject, aTyped } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const MODELS = '/v2/acme/demo/models';

describe('models', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await client.post(MODELS, {
      name: 'Greeter',
      source_code: 'class Model:\n    pass\n',
      attributes: { temperature: 0.2 },
    });
  });
  afterAll(() => trace.close());

  const read = (objectId: string, selector: string) => client.get(`${MODELS}/${objectId}/versions/${selector}`);

  it('reads one version by every selector', async () => {
    const digest = '5qtqo7T5yYXDQX6VEH7u26LbyEXyOx9YN4ZP2tJFdqI';
    const project = (await trace.sql<{ id: string }>('SELECT id FROM projects'))[0]?.id;
    await trace.sql(`INSERT INTO object_aliases VALUES ($1, 'greeter', 'prod', $2, now(), $3)`, [
      project,
      digest,
      trace.writer.id,
    ]);
    const answers = await Promise.all([digest, 'latest', 'v0', 'prod'].map((selector) => read('greeter', selector)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.json()).toEqual({
      object_id: 'greeter',
      digest,
      version_index: 0,
      created_at: expect.stringMatching(/Z$/),
      name: 'Greeter',
      source_code: 'class Model:\n    pass\n',
      description: null,
      attributes: { temperature: 0.2 },
    });
  });

  it('reads a model that was stored as an object without source', async () => {
    await client.post(
      '/obj/create',
      '{"obj":{"project_id":"acme/demo","object_id":"bare","val":{"_type":"M","_class_name":"M","_bases":["Model","Object","BaseModel"],"lr":1e-5,"__proto__":1}}}',
    );
    const response = await read('bare', 'latest');
    expect(response.json()).toMatchObject({ object_id: 'bare', name: 'bare', source_code: '', description: null });
    expect(response.text).toContain('"attributes":{"lr":1e-5,"__proto__":1}');
  });

  it('answers 404 to what is no model version', async () => {
    await client.post('/obj/create', anObject('cfg', { a: 1 }));
    await client.post('/obj/create', anObject('data', aTyped('Dataset')));
    const cases = [
      ['cfg', 'v0'],
      ['data', 'latest'],
      ['greeter', 'v9'],
      ['greeter', 'nope'],
      ['unknown', 'latest'],
      ['bad name', 'v0'],
      ['..%2f..', 'v0'],
    ] as const;
    for (const [objectId, selector] of cases) {
      const response = await read(encodeURI(objectId).replace('%252f', '%2f'), selector);
      expect([response.status, response.json().code]).toEqual([404, 'model.not_found']);
    }
    expect((await read('cfg', 'v0')).json().detail).toBe("'cfg' in 'acme/demo' has no model version 'v0'.");
    for (const path of [`${MODELS}/%00/versions/v0`, `${MODELS}/greeter/versions/%00`, `${MODELS}/%zz/versions/v0`]) {
      expect((await client.get(path)).status).toBe(404);
    }
    for (const project of ['..%2f..', 'a:b', '%20']) {
      expect((await client.get(`/v2/acme/${project}/models/greeter/versions/v0`)).json().code).toBe(
        'project.not_found',
      );
    }
  });

  it('takes no project of a bad name, and no entity', async () => {
    const admin = trace.as(await trace.user('namer', { isAdmin: true }));
    for (const [path, parameter] of [
      ['7/%13', 'project'],
      ['7/a:b', 'project'],
      ['7/%20', 'project'],
      ['7/..%2f..', 'project'],
      [`7/${'x'.repeat(129)}`, 'project'],
      ['_x/demo', 'entity'],
      ['é/demo', 'entity'],
    ] as const) {
      for (const [kind, body] of [
        ['models', { name: 'x', source_code: '' }],
        ['evaluations', { name: 'x', dataset: 'hone:///acme/demo/object/d:v0' }],
      ] as const) {
        const { status, json } = await admin.post(encodeURI(`/v2/${path}/${kind}`).replaceAll('%25', '%'), body);
        expect([path, status, json().detail]).toMatchObject([path, 422, [{ loc: ['path', parameter] }]]);
      }
    }
    expect(await trace.sql(`SELECT name FROM entities WHERE name = '7'`)).toEqual([]);
  });

  it('says when a version was deleted', async () => {
    await client.post(MODELS, { name: 'Gone', source_code: '' });
    await trace.sql(`UPDATE object_versions SET deleted_at = '2026-01-15T10:00:00Z' WHERE object_id = 'gone'`);
    const response = await read('gone', 'v0');
    expect([response.status, response.json().code]).toEqual([404, 'object.deleted']);
    expect(response.json().detail).toMatch(/^Version '\w{43}' of 'gone' was deleted at 2026-01-15T10:00:00\.000Z\.$/);
  });

  it('answers what was created', async () => {
    const body = { name: 'My Model/2 <x>', source_code: 'x = "é"', description: 'd', attributes: { a: { b: [1] } } };
    const created = (await client.post(MODELS, body)).json();
    expect(created).toMatchObject({ object_id: 'my_model_2_x', version_index: 0 });
    expect(created.model_ref).toBe(`hone:///acme/demo/object/my_model_2_x:${created.digest}`);
    expect((await read(created.object_id, created.digest)).json()).toMatchObject({
      name: body.name,
      source_code: body.source_code,
      description: 'd',
      attributes: body.attributes,
    });
  });

  it('stores nothing that it could not read again', async () => {
    for (const [weave_type, status] of [
      [{ type: 'Op' }, 422],
      [{ type: 'Model' }, 200],
      ['Op', 200],
    ] as const) {
      const created = await client.post(MODELS, { name: 'like an op', source_code: '', attributes: { weave_type } });
      expect([weave_type, created.status]).toEqual([weave_type, status]);
      if (status === 422) expect(created.json().detail[0].loc).toEqual(['body', 'attributes', 'weave_type']);
      else expect((await read('like_an_op', 'latest')).json().attributes).toEqual({ weave_type });
    }
  });

  it('refuses reserved attributes and names that give no id', async () => {
    const reserved = await client.post(MODELS, {
      name: 'm',
      source_code: '',
      attributes: { files: {}, ok: 1, _type: 'x' },
    });
    expect(reserved.json().detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
      ['body', 'attributes', 'files'],
      ['body', 'attributes', '_type'],
    ]);
    const name = await client.post(MODELS, { name: 'What?', source_code: '' });
    expect(name.json().detail[0]).toMatchObject({ loc: ['body', 'name'], type: 'string_pattern_mismatch' });
    expect((await client.post(MODELS, { name: '<>', source_code: '' })).json().object_id).toBe('model');
  });
});
