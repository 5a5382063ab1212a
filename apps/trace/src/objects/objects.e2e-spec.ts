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

describe('versions of objects', () => {
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
  const projectRow = async () =>
    (await trace.sql<{ id: string }>(`SELECT id FROM projects WHERE name = 'demo'`))[0]?.id;

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
