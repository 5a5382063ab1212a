import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { anObject, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const project_id = PROJECT;
const object = (rest: string) => `hone:///${PROJECT}/object/${rest}`;
const codeOf = ({ status, json }: TestResponse) => [status, json().code];

describe('values by their refs', () => {
  let trace: TestApp;
  let client: TestClient;
  let rows: string[];
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    const created = await client.post('/table/create', {
      table: { project_id, rows: [{ q: '2+2' }, { q: '3+3', n: [7] }] },
    });
    const { digest, row_digests } = created.json();
    rows = row_digests;
    const values: [string, unknown][] = [
      ['config', { a: { 'b/c': [10, { d: null }] }, 'x y': 1 }],
      ['config', { a: 2 }],
      ['dataset', { rows: `hone:///${PROJECT}/table/${digest}` }],
      ['evaluation', { dataset: object('dataset:v0'), first: object('dataset:v0/attr/rows') }],
      ['loop', { next: object('loop:latest/attr/next') }],
      ['gone', 1],
      ['gone', 2],
    ];
    for (const [name, value] of values) await client.post('/obj/create', anObject(name, value));
    await client.post('/obj/delete', { project_id, object_id: 'gone', digests: ['v0'] });
  });
  afterAll(() => trace.close());

  const read = (...refs: string[]): Promise<TestResponse> => client.post('/refs/read_batch', { refs });
  const valuesOf = async (...refs: string[]) => {
    const { status, text } = await read(...refs);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return JSON.parse(text).vals as unknown[];
  };

  it('come in the order of the refs, whatever scheme these have', async () => {
    expect(await valuesOf()).toEqual([]);
    expect(await valuesOf(object('config:latest'), 'x+y:///acme/demo/object/config:v0', object('config:v1'))).toEqual([
      { a: 2 },
      { a: { 'b/c': [10, { d: null }] }, 'x y': 1 },
      { a: 2 },
    ]);
  });

  it.each([
    ['config:v0/attr/a/key/b%2Fc/index/0', 10],
    ['config:v0/key/x%20y', 1],
    ['config:v0/attr/a/key/b%2Fc/index/1', { d: null }],
    ['config:v0/attr/a/key/b%2Fc/index/2', null],
    ['config:v0/attr/a/index/0', null],
    ['config:v0/attr/__proto__', null],
    ['config:v0/attr/a/attr/b%2Fc/attr/length', null],
    ['config:v0/key/x%20y/key/toString', null],
    ['loop:v0/attr/next/attr/x', null],
    ['gone:v0', null],
    ['gone:latest', 2],
  ])('%s', async (rest, expected) => {
    expect(await valuesOf(object(rest))).toEqual([expected]);
  });

  it('go on into the rows of a table, and into what a value names', async () => {
    const [, second] = rows as [string, string];
    expect(
      await valuesOf(
        object(`dataset:v0/attr/rows/id/${second}`),
        object(`dataset:v0/attr/rows/id/${second}/key/n/index/0`),
        object(`evaluation:v0/attr/dataset/attr/rows/id/${second}/key/q`),
        object(`evaluation:v0/attr/first/id/${second}/key/q`),
        object('dataset:v0/attr/rows/id/unknown'),
        object('dataset:v0/attr/rows/index/0'),
      ),
    ).toEqual([{ q: '3+3', n: [7] }, 7, '3+3', '3+3', null, null]);
  });

  it('keep the text of numbers', async () => {
    await client.post('/obj/create', `{"obj":{"project_id":"${PROJECT}","object_id":"n","val":{"a":[1.0,1e5]}}}`);
    expect((await read(object('n:v0'), object('n:v0/attr/a'))).text).toBe('{"vals":[{"a":[1.0,1e5]},[1.0,1e5]]}');
  });

  it('are refused as a whole where one was never stored, or may not be read', async () => {
    const known = object('config:v0');
    expect(codeOf(await read(known, object('config:v9')))).toEqual([404, 'object.not_found']);
    expect(codeOf(await read(known, object('nowhere:v0')))).toEqual([404, 'object.not_found']);
    expect(codeOf(await read(known, 'hone:///acme/nothing/object/a:v0'))).toEqual([404, 'object.not_found']);
    expect(codeOf(await read(known, 'hone:///globex/secret/object/a:v0'))).toEqual([403, 'access.denied']);
    expect((await read(known, `hone:///${PROJECT}/call/c1`)).status).toBe(422);
    expect((await read(known, `hone:///${PROJECT}/table/abc`)).status).toBe(422);
  });

  it('lead nowhere where a value names what the caller may not read', async () => {
    const admin = trace.as(await trace.user('root', { isAdmin: true }));
    const hidden = 'globex/secret';
    const obj = { project_id: hidden, object_id: 'secret', val: { password: 'x' } };
    await admin.post('/obj/create', { obj });
    const table = await admin.post('/table/create', { table: { project_id: hidden, rows: [{ secret: 1 }] } });
    const { digest, row_digests } = table.json();
    const val = { other: `hone:///${hidden}/object/secret:v0`, rows: `hone:///${hidden}/table/${digest}` };
    await client.post('/obj/create', anObject('pointer', val));
    const refs = [object('pointer:v0/attr/other/attr/password'), object(`pointer:v0/attr/rows/id/${row_digests[0]}`)];
    expect(await valuesOf(...refs)).toEqual([null, null]);
    expect((await admin.post('/refs/read_batch', { refs })).json().vals).toEqual(['x', { secret: 1 }]);
  });
});
