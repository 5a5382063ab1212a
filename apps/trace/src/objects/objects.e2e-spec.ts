import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { anObject, aTyped, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

interface Version {
  object_id: string;
  digest: string;
  version_index: number;
  is_latest: number;
  val: unknown;
}

describe('objects', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeEach(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterEach(() => trace.close());

  const create = async (objectId: string, val: unknown): Promise<string> => {
    const response = await client.post('/obj/create', anObject(objectId, val));
    expect(response.status).toBe(200);
    return response.json().digest as string;
  };
  const query = async (body: object = {}): Promise<Version[]> => {
    const response = await client.post('/objs/query', { project_id: PROJECT, ...body });
    expect(response.status).toBe(200);
    return response.json().objs as Version[];
  };
  const names = async (body: object) => (await query(body)).map(({ object_id }) => object_id);
  const projectRow = async () =>
    (await trace.sql<{ id: string }>(`SELECT id FROM projects WHERE name = 'demo'`))[0]?.id;

  it('answers versions whole, with sizes, tags and aliases where asked', async () => {
    const send = (val: string) =>
      client.post('/obj/create', `{"obj":{"project_id":"acme/demo","object_id":"cfg","val":${val}}}`);
    await send('{"a":"é","b":1.0}');
    await send('{"a":1,"b":1}');
    const response = await client.post('/objs/query', {
      project_id: PROJECT,
      filter: { object_ids: ['cfg'] },
      include_storage_size: true,
      include_tags_and_aliases: true,
    });
    const version = {
      project_id: PROJECT,
      object_id: 'cfg',
      created_at: expect.stringMatching(/Z$/),
      kind: 'object',
      base_object_class: null,
      leaf_object_class: null,
      deleted_at: null,
      svc_user_id: trace.writer.id,
      tags: [],
    };
    expect(response.json()).toEqual({
      objs: [
        {
          ...version,
          digest: 'fnvNOfMXzDB9fqOQX26F0PQHvU4QxUh1cxEdfDA4dus',
          version_index: 0,
          is_latest: 0,
          val: { a: 'é', b: 1 },
          size_bytes: 25,
          aliases: [],
        },
        {
          ...version,
          digest: 'G6EgQdfRBaBYY6YjMtwVgPgdOibHMvCFhDYgy558X0Q',
          version_index: 1,
          is_latest: 1,
          val: { a: 1, b: 1 },
          size_bytes: 16,
          aliases: ['latest'],
        },
      ],
    });
    expect(response.text).toContain('"val":{"a":"é","b":1.0}');
    const plain = await client.post('/objs/query', {
      project_id: PROJECT,
      filter: { latest_only: true },
      metadata_only: true,
    });
    expect(Object.keys(plain.json().objs[0])).toEqual([
      'project_id', 'object_id', 'created_at', 'digest', 'version_index', 'is_latest', 'kind', 'base_object_class',
      'leaf_object_class', 'val', 'deleted_at', 'svc_user_id',
    ]); // prettier-ignore
  });

  it('filters by each part, by two together, and not at all by an empty list', async () => {
    await create('model', aTyped('Model'));
    await create('special', { _type: 'Special', _class_name: 'Special', _bases: ['Model', 'Object', 'BaseModel'] });
    await create('data', aTyped('Dataset'));
    await create('plain', [1]);
    await create('op', { _type: 'CustomWeaveType', weave_type: { type: 'Op' } });
    const digest = await create('plain', [2]);
    const project = await projectRow();
    await trace.sql(`INSERT INTO object_tags VALUES ($1, 'plain', $2, 'good', now(), $3)`, [
      project,
      digest,
      trace.writer.id,
    ]);
    await trace.sql(`INSERT INTO object_aliases VALUES ($1, 'plain', 'prod', $2, now(), $3)`, [
      project,
      digest,
      trace.writer.id,
    ]);

    expect(await names({ filter: { object_ids: ['data', 'op', 'none'] } })).toEqual(['data', 'op']);
    expect(await names({ filter: { base_object_classes: ['Model'] } })).toEqual(['model', 'special']);
    expect(await names({ filter: { exclude_base_object_classes: ['Model', 'Dataset'] } })).toEqual([
      'plain',
      'op',
      'plain',
    ]);
    expect(await names({ filter: { leaf_object_classes: ['Special'] } })).toEqual(['special']);
    expect(await names({ filter: { is_op: true } })).toEqual(['op']);
    expect(await names({ filter: { is_op: false } })).toEqual(['model', 'special', 'data', 'plain', 'plain']);
    expect((await query({ filter: { tags: ['good', 'x'] } })).map(({ digest: one }) => one)).toEqual([digest]);
    expect((await query({ filter: { aliases: ['prod'] } })).map(({ digest: one }) => one)).toEqual([digest]);
    expect(await names({ filter: { aliases: ['latest'] } })).toEqual(['model', 'special', 'data', 'op', 'plain']);
    expect(
      (await query({ filter: { latest_only: true, object_ids: ['plain'] }, include_tags_and_aliases: true }))[0],
    ).toMatchObject({
      val: [2],
      tags: ['good'],
      aliases: ['latest', 'prod'],
    });
    expect(await names({ filter: { base_object_classes: ['Model'], leaf_object_classes: ['Model'] } })).toEqual([
      'model',
    ]);
    const empty = {
      object_ids: [],
      base_object_classes: [],
      exclude_base_object_classes: [],
      leaf_object_classes: [],
      tags: [],
      aliases: [],
    };
    expect(await names({ filter: empty })).toHaveLength(6);
    expect(await names({ filter: null, sort_by: null, limit: null })).toHaveLength(6);
  });

  it('pages', async () => {
    for (const n of [1, 2, 3]) await create(`o${n}`, n);
    expect(await names({ limit: 0 })).toEqual([]);
    expect(await names({ limit: 2, offset: 1 })).toEqual(['o2', 'o3']);
    expect(await names({ offset: 3 })).toEqual([]);
    expect(await names({ limit: 2_147_483_647 })).toEqual(['o1', 'o2', 'o3']);
    expect((await client.post('/objs/query', '{"project_id":"acme/demo","limit":1.0}')).json().objs).toHaveLength(1);
  });

  it('sorts text by code point and versions of one object by index', async () => {
    for (const name of ['a', 'é', 'B', 'ｚ', '𐐀']) await create(name, 1);
    await create('B', 2);
    expect(await names({ sort_by: [{ field: 'object_id', direction: 'desc' }] })).toEqual([
      '𐐀',
      'ｚ',
      'é',
      'a',
      'B',
      'B',
    ]);
    const sorted = await query({ sort_by: [{ field: 'object_id', direction: 'desc' }], filter: { object_ids: ['B'] } });
    expect(sorted.map(({ version_index }) => version_index)).toEqual([0, 1]);
    expect(await names({ sort_by: [{ field: 'object_id', direction: 'asc' }], filter: { latest_only: true } })).toEqual(
      ['B', 'a', 'é', 'ｚ', '𐐀'],
    );
    expect(
      await names({ sort_by: [{ field: 'created_at', direction: 'desc' }], filter: { latest_only: true } }),
    ).toEqual(['B', '𐐀', 'ｚ', 'é', 'a']);
  });

  it('names the place of every wrong field', async () => {
    const response = await client.post(
      '/objs/query',
      '{"project_id":"acme/demo","sort_by":[{"field":"digest","direction":"up"},{}],"limit":-1,"offset":2147483648,"metadata_only":1,"filter":{"object_ids":"x","other":1},"unknown":1}',
    );
    const word = (loc: unknown[], msg: string) => ({ loc: ['body', 'sort_by', ...loc], msg, type: 'enum' });
    expect(response.json().detail).toEqual([
      { loc: ['body', 'filter', 'object_ids'], msg: 'Input should be a valid list', type: 'list_type' },
      { loc: ['body', 'filter', 'other'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
      { loc: ['body', 'limit'], msg: 'Input should be greater than or equal to 0', type: 'greater_than_equal' },
      { loc: ['body', 'offset'], msg: 'Input should be less than or equal to 2147483647', type: 'less_than_equal' },
      word([0, 'field'], "Input should be 'object_id' or 'created_at'"),
      word([0, 'direction'], "Input should be 'asc' or 'desc'"),
      { loc: ['body', 'sort_by', 1, 'field'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'sort_by', 1, 'direction'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'metadata_only'], msg: 'Input should be a valid boolean', type: 'bool_type' },
      { loc: ['body', 'unknown'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
    ]);
    const text = await client.post('/objs/query', { project_id: PROJECT, limit: '5' });
    expect(text.json().detail).toEqual([
      { loc: ['body', 'limit'], msg: 'Input should be a valid integer', type: 'int_type' },
    ]);
    const long = await client.post('/objs/query', {
      project_id: PROJECT,
      filter: { object_ids: Array(1_001).fill('x') },
    });
    expect(long.json().detail).toEqual([
      { loc: ['body', 'filter', 'object_ids'], msg: 'List should have at most 1000 items', type: 'too_many' },
    ]);
  });

  it('answers an empty object for any value when only metadata is asked for', async () => {
    await create('list', [1, 2]);
    expect((await query({ metadata_only: true }))[0]?.val).toEqual({});
  });

  it('moves latest to the newest version left, and counts a revived version on', async () => {
    for (const n of [1, 2, 3]) await create('eval', aTyped('Evaluation', { n }));
    expect((await client.delete('/v2/acme/demo/evaluations/eval?digests=latest')).json()).toEqual({ num_deleted: 1 });
    expect((await query()).map(({ version_index, is_latest }) => [version_index, is_latest])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    await create('eval', aTyped('Evaluation', { n: 3 }));
    expect((await query()).map(({ version_index, is_latest }) => [version_index, is_latest])).toEqual([
      [0, 0],
      [1, 0],
      [3, 1],
    ]);
    await create('eval', aTyped('Evaluation', { n: 1 }));
    expect((await query()).map(({ version_index, is_latest }) => [version_index, is_latest])).toEqual([
      [0, 1],
      [1, 0],
      [3, 0],
    ]);
  });

  it('numbers 50 parallel versions of one object without gaps', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => client.post('/obj/create', anObject('busy', { n }))),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const versions = await query();
    expect(versions.map(({ version_index }) => version_index).sort((a, b) => a - b)).toEqual([...Array(50).keys()]);
    expect(versions.filter(({ is_latest }) => is_latest === 1)).toHaveLength(1);
  });

  it('checks an expected digest, the class of earlier versions, and internal refs', async () => {
    const wrong = await client.post('/obj/create', anObject('x', 1, { expected_digest: 'abc' }));
    expect([wrong.status, wrong.json().code]).toEqual([409, 'object.digest_mismatch']);
    expect(await trace.sql('SELECT 1 FROM object_heads')).toEqual([]);
    await create('typed', aTyped('Model'));
    const other = await client.post('/obj/create', anObject('typed', aTyped('Dataset')));
    expect([other.status, other.json()]).toEqual([
      409,
      {
        detail: "'typed' has versions of class 'Model'; this one is of class 'Dataset'.",
        code: 'object.type_collision',
      },
    ]);
    const internal = await client.post('/obj/create', anObject('y', { a: ['weave-trace-internal:///x/object/y:z'] }));
    expect(internal.json().detail[0]).toMatchObject({ loc: ['body', 'obj', 'val', 'a', 0], type: 'value_error' });
  });

  it('keeps values of any kind and size exactly', async () => {
    const large = { text: 'é'.repeat(3_000_000) };
    await create('large', large);
    expect((await query({ filter: { object_ids: ['large'] } }))[0]?.val).toEqual(large);
    expect(Number((await trace.sql<{ n: string }>('SELECT count(*) AS n FROM blob_chunks'))[0]?.n)).toBeGreaterThan(20);
    for (const [name, val] of [
      ['null', 'null'],
      ['number', '1.50'],
      ['text', '"\\u0000\\ud800"'],
      ['huge', '123456789012345678901234567890'],
    ]) {
      const response = await client.post(
        '/obj/create',
        `{"obj":{"project_id":"acme/demo","object_id":"${name}","val":${val}}}`,
      );
      expect(response.status).toBe(200);
      const read = await client.post('/objs/query', { project_id: PROJECT, filter: { object_ids: [name] } });
      expect(read.text).toContain(`"val":${val},`);
    }
  });

  it('streams a long answer whole', async () => {
    await create('seed', 0);
    const project = await projectRow();
    await trace.sql(
      `INSERT INTO object_versions (project_id, object_id, digest, version_index, created_at, kind, svc_user_id, val_text, size_bytes)
       SELECT $1, 'seed', 'd' || n, n, now(), 'object', $2, '{"n":' || n || '}', 7 FROM generate_series(1, 5000) AS n`,
      [project, trace.writer.id],
    );
    const versions = await query();
    expect(versions).toHaveLength(5_001);
    expect(versions[5_000]?.val).toEqual({ n: 5_000 });
  });

  it('takes class names that are none as no class', async () => {
    const long = Array.from({ length: 9_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join('');
    for (const [index, name] of [long, 'a\0b', '\ud800'].entries()) {
      await create(`odd-${index}`, { _type: name, _class_name: name, _bases: [name, 'Object', 'BaseModel'] });
    }
    expect(
      (await query()).map((version) => (version as unknown as { base_object_class: unknown }).base_object_class),
    ).toEqual([null, null, null]);
  });
});
