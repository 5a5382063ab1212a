import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { anObject, aTyped } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const dataset = 'hone:///acme/demo/object/questions:v0';

/** Each kind, the code of its error, and its body for the n-th version of a name. */
const KINDS = [
  ['models', 'model', (name: string, n: number) => ({ name, source_code: `v = ${n}` })],
  ['evaluations', 'evaluation', (name: string, n: number) => ({ name, dataset, trials: n + 1 })],
  ['datasets', 'dataset', (name: string, n: number) => ({ name, rows: [{ n }] })],
  ['scorers', 'scorer', (name: string, n: number) => ({ name, op_source_code: `v = ${n}` })],
  ['ops', 'op', (name: string, n: number) => ({ name, source_code: `v = ${n}` })],
] as const;

const idsOf = ({ text }: TestResponse): string[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const { object_id, version_index } = JSON.parse(line) as { object_id: string; version_index: number };
      return `${object_id}:v${version_index}`;
    });

describe.each(KINDS)('typed objects: %s', (path, noun, toBody) => {
  const base = `/v2/acme/demo/${path}`;
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    for (const name of ['b', 'a', 'c']) await client.post(base, toBody(name, 0));
    await client.post(base, toBody('b', 1));
    await client.post('/obj/create', anObject('other', aTyped('Other')));
  });
  afterAll(() => trace.close());

  it('lists the latest live version of each object, the first made first', async () => {
    const response = await client.get(base);
    expect([response.status, response.headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(idsOf(response)).toEqual(['a:v0', 'c:v0', 'b:v1']);
    const [line] = response.text.split('\n');
    expect(line).toBe((await client.get(`${base}/a/versions/latest`)).text);
    expect(idsOf(await client.get(`${base}?limit=1&offset=1`))).toEqual(['c:v0']);
    expect((await client.get(`${base}?limit=0`)).text).toBe('');
    expect(idsOf(await client.get(`${base}?offset=2`))).toEqual(['b:v1']);
  });

  it('lists nothing of a project that there is not, and makes none', async () => {
    expect((await client.get(`/v2/acme/nowhere/${path}`)).text).toBe('');
    expect(await trace.sql(`SELECT 1 FROM projects WHERE name = 'nowhere'`)).toEqual([]);
    const foreign = await client.get(`/v2/globex/demo/${path}`);
    expect([foreign.status, foreign.json().code]).toEqual([403, 'access.denied']);
  });

  it('refuses a page that is no page', async () => {
    for (const [query, loc, type] of [
      ['limit=-1', 'limit', 'greater_than_equal'],
      ['limit=x', 'limit', 'int_parsing'],
      ['offset=1.5', 'offset', 'int_parsing'],
      ['limit=2147483648', 'limit', 'less_than_equal'],
      ['__proto__=1', '__proto__', 'extra_forbidden'],
    ]) {
      const { status, json } = await client.get(`${base}?${query}`);
      expect([query, status, json().detail]).toMatchObject([query, 422, [{ loc: ['query', loc], type }]]);
    }
  });

  it('answers 404 to what is no version of its kind', async () => {
    for (const address of [
      'other/versions/v0',
      'a/versions/v9',
      'a/versions/nope',
      'unknown/versions/latest',
      'bad%20name/versions/v0',
      '__proto__/versions/v0',
    ]) {
      const { status, json } = await client.get(`${base}/${address}`);
      expect([address, status, json().code]).toEqual([address, 404, `${noun}.not_found`]);
    }
    expect((await client.get(`${base}/other/versions/v0`)).json().detail).toBe(
      `'other' in 'acme/demo' has no ${noun} version 'v0'.`,
    );
    expect((await client.get(`/v2/acme/nowhere/${path}/a/versions/v0`)).json().code).toBe('project.not_found');
  });

  it('deletes versions, and says of each that it was deleted', async () => {
    for (const n of [0, 1, 2]) await client.post(base, toBody('gone', n));
    const partly = await client.delete(`${base}/gone?digests=v0&digests=v9`);
    expect([partly.status, partly.json()]).toEqual([
      404,
      { detail: `'gone' in 'acme/demo' has no ${noun} version 'v9'.`, code: `${noun}.not_found` },
    ]);
    expect((await client.delete(`${base}/gone?digests=latest&digests=v2`)).json()).toEqual({ num_deleted: 1 });
    expect(idsOf(await client.get(base))).toEqual(['a:v0', 'c:v0', 'b:v1', 'gone:v1']);
    expect((await client.delete(`${base}/gone?digests=`)).status).toBe(422);
    expect((await client.delete(`${base}/gone`)).json()).toEqual({ num_deleted: 2 });
    expect((await client.get(`${base}/gone/versions/v0`)).json().code).toBe('object.deleted');
    expect((await client.delete(`${base}/gone`)).json()).toEqual({
      detail: `'gone' in 'acme/demo' has no ${noun} versions.`,
      code: `${noun}.not_found`,
    });
    expect(idsOf(await client.get(base))).toEqual(['a:v0', 'c:v0', 'b:v1']);
  });

  it('deletes nothing of another class', async () => {
    for (const query of ['', '?digests=v0']) {
      expect((await client.delete(`${base}/other${query}`)).json().code).toBe(`${noun}.not_found`);
    }
    const other = { project_id: 'acme/demo', object_id: 'other', digest: 'v0' };
    expect((await client.post('/obj/read', other)).status).toBe(200);
  });
});
