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

describe('POST /objs/query', () => {
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

  it('names the path of every wrong field', async () => {
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
});
