import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { anObject, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const DATASETS = '/v2/acme/demo/datasets';

describe('datasets', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const read = (objectId: string, selector: string) => client.get(`${DATASETS}/${objectId}/versions/${selector}`);

  it('stores rows as a table that the value names', async () => {
    const body =
      '{"name":"My Sums/1","description":"d","rows":[{"q":1.0,"__proto__":{"a":1}},{"q":12345678901234567890,"s":"\\u0000\\ud800"}]}';
    const created = (await client.post(DATASETS, body)).json();
    expect(created).toMatchObject({ object_id: 'my_sums_1', version_index: 0 });
    expect(created.dataset_ref).toBe(`hone:///${PROJECT}/object/my_sums_1:${created.digest}`);
    const version = (await read('my_sums_1', 'latest')).json();
    expect(version).toEqual({
      object_id: 'my_sums_1',
      digest: created.digest,
      version_index: 0,
      created_at: expect.stringMatching(/Z$/),
      name: 'My Sums/1',
      description: 'd',
      rows: expect.stringMatching(/^hone:\/\/\/acme\/demo\/table\/[0-9a-f]{64}$/),
    });
    const table = version.rows.split('/').at(-1);
    const rows = await client.post('/table/query_stream', { project_id: PROJECT, digest: table });
    const vals = rows.text.match(/"val":\{.*\},"original_index"/g);
    expect(vals).toEqual([
      '"val":{"q":1.0,"__proto__":{"a":1}},"original_index"',
      '"val":{"q":12345678901234567890,"s":"\\u0000\\ud800"},"original_index"',
    ]);
    const { objs } = (
      await client.post('/objs/query', { project_id: PROJECT, filter: { object_ids: ['my_sums_1'] } })
    ).json();
    expect(objs[0].val).toEqual({
      _type: 'Dataset',
      _class_name: 'Dataset',
      _bases: ['Object', 'BaseModel'],
      name: 'My Sums/1',
      description: 'd',
      rows: version.rows,
    });
  });

  it('has a name of its own where none is given, and may be empty', async () => {
    for (const name of [undefined, null, '<>']) {
      const created = (await client.post(DATASETS, { name, rows: [] })).json();
      expect([name, created.object_id]).toEqual([name, 'dataset']);
    }
    expect((await read('dataset', 'v0')).json()).toMatchObject({ name: 'dataset', description: null });
  });

  it('reads what was stored as an object, whatever its fields are', async () => {
    const val = { _type: 'Dataset', _class_name: 'Dataset', _bases: ['Object', 'BaseModel'], name: 5, rows: [{}] };
    await client.post('/obj/create', anObject('odd', val));
    expect((await read('odd', 'latest')).json()).toMatchObject({ name: 'odd', description: null, rows: null });
  });

  it('stores neither rows nor the project when the version is refused', async () => {
    await client.post('/v2/acme/demo/models', { name: 'taken', source_code: '' });
    const collision = await client.post(DATASETS, { name: 'taken', rows: [{ only: 'here' }] });
    expect([collision.status, collision.json().code]).toEqual([409, 'object.type_collision']);
    expect(await trace.sql(`SELECT 1 FROM table_rows WHERE val_text LIKE '%only%'`)).toEqual([]);
    const refused = await client.post('/v2/acme/refused/datasets', { name: 'What?', rows: [{ only: 'here' }] });
    expect(refused.json().detail[0]).toMatchObject({ loc: ['body', 'name'], type: 'string_pattern_mismatch' });
    expect(await trace.sql(`SELECT 1 FROM projects WHERE name = 'refused'`)).toEqual([]);
  });

  it('points at what is wrong', async () => {
    const internal = 'weave-trace-internal:///abc/object/x:y';
    for (const [body, loc, type] of [
      [{}, ['rows'], 'missing'],
      [{ rows: null }, ['rows'], 'list_type'],
      [{ rows: {} }, ['rows'], 'list_type'],
      [{ rows: [{}, 1] }, ['rows', 1], 'dict_type'],
      [{ rows: [], name: '' }, ['name'], 'string_too_short'],
      [{ rows: [], name: 'x'.repeat(129) }, ['name'], 'string_too_long'],
      [{ rows: [], name: 'a\u0001' }, ['name'], 'string_pattern_mismatch'],
      [{ rows: [], name: '__proto__\0' }, ['name'], 'string_unicode'],
      [{ rows: [], description: 1 }, ['description'], 'string_type'],
      [{ rows: [], description: internal }, ['description'], 'value_error'],
      [{ rows: [{}, { a: [internal] }] }, ['rows', 1, 'a', 0], 'value_error'],
      [{ rows: [], source_code: '' }, ['source_code'], 'extra_forbidden'],
    ] as const) {
      const { status, json } = await client.post(DATASETS, body);
      expect([body, status, json().detail]).toMatchObject([body, 422, [{ loc: ['body', ...loc], type }]]);
    }
  });
});
