import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { anObject, aTyped, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const outcome = ({ status, json }: TestResponse) => [status, json()];

describe('reading and deleting versions of objects', () => {
  let trace: TestApp;
  let client: TestClient;
  let digests: string[];
  beforeEach(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    digests = [];
    for (const n of [1, 2, 3]) {
      const created = await client.post('/obj/create', anObject('config', aTyped('Config', { n })));
      digests.push(created.json().digest);
    }
  });
  afterEach(() => trace.close());

  const read = (digest: string, fields: object = {}): Promise<TestResponse> =>
    client.post('/obj/read', { project_id: PROJECT, object_id: 'config', digest, ...fields });
  const remove = (fields: object = {}): Promise<TestResponse> =>
    client.post('/obj/delete', { project_id: PROJECT, object_id: 'config', ...fields });

  it('finds a version by digest, number, latest and alias, with all that a list says of it', async () => {
    await client.put('/objs/config/aliases', { project_id: PROJECT, digest: 'v1', aliases: ['champion'] });
    await client.put('/objs/config/versions/v1/tags', { project_id: PROJECT, tags: ['b', 'a'] });
    const listed = await client.post('/objs/query', { project_id: PROJECT, include_tags_and_aliases: true });
    for (const selector of ['champion', 'v1', digests[1] as string]) {
      const { status, json } = await read(selector, { include_tags_and_aliases: true });
      expect([status, json()]).toEqual([200, { obj: listed.json().objs[1] }]);
      expect(json().obj).toMatchObject({ tags: ['a', 'b'], aliases: ['champion'], is_latest: 0 });
    }
    expect((await read('latest')).json().obj).toMatchObject({ digest: digests[2], version_index: 2, is_latest: 1 });
    expect(Object.keys((await read('latest')).json().obj)).not.toContain('tags');
    expect((await read('v0', { metadata_only: true })).json().obj).toMatchObject({ version_index: 0, val: {} });
  });

  it('keeps the text of numbers, in values of any size', async () => {
    const text = `{"n":1.0,"big":12345678901234567890,"s":"${'é'.repeat(200_000)}"}`;
    const body = `{"obj":{"project_id":"${PROJECT}","object_id":"large","val":${text}}}`;
    expect((await client.post('/obj/create', body)).status).toBe(200);
    const { text: answer } = await client.post('/obj/read', { project_id: PROJECT, object_id: 'large', digest: 'v0' });
    expect(answer).toContain(`"val":${text}`);
  });

  it('tells what never was from what was deleted', async () => {
    expect(outcome(await read('v9'))).toEqual([
      404,
      { detail: `'config' in '${PROJECT}' has no version 'v9'.`, code: 'object.not_found' },
    ]);
    await remove({ digests: ['v0'] });
    const gone = await read(digests[0] as string);
    expect([gone.status, gone.json().code]).toEqual([404, 'object.deleted']);
    expect((await read('latest')).json().obj.version_index).toBe(2);
    const unknown = await client.post('/obj/read', { project_id: 'acme/nothing', object_id: 'x', digest: 'v0' });
    expect([unknown.status, unknown.json().code]).toEqual([404, 'project.not_found']);
  });

  it('deletes what the selectors name, each once, and says what it was', async () => {
    const [, second] = digests;
    const { status, json } = await remove({ digests: ['v1', second] });
    expect([status, json()]).toEqual([
      200,
      {
        num_deleted: 1,
        deleted_versions: [{ digest: second, base_object_class: 'Config', leaf_object_class: 'Config' }],
      },
    ]);
    expect((await remove()).json()).toMatchObject({ num_deleted: 2 });
    expect(outcome(await remove())).toEqual([
      404,
      { detail: `'config' in '${PROJECT}' has no versions.`, code: 'object.not_found' },
    ]);
  });

  it('deletes nothing when a selector names nothing, or when none is sent', async () => {
    for (const [sent, status, code] of [
      [['v0', 'v9'], 404, 'object.not_found'],
      [[], 422, undefined],
      [[''], 422, undefined],
      [Array(101).fill('v0'), 422, undefined],
    ] as const) {
      const refused = await remove({ digests: sent });
      expect([refused.status, refused.json().code]).toEqual([status, code]);
    }
    expect((await client.post('/objs/query', { project_id: PROJECT })).json().objs).toHaveLength(3);
  });

  it('makes no object by looking for one', async () => {
    const body = { project_id: PROJECT, object_id: 'nowhere' };
    expect((await client.post('/obj/delete', body)).status).toBe(404);
    expect((await client.post('/obj/read', { ...body, digest: 'v0' })).status).toBe(404);
    expect(await trace.sql(`SELECT 1 FROM object_heads WHERE object_id = 'nowhere'`)).toEqual([]);
  });
});
