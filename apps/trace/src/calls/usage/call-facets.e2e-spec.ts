import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aCallStart, aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { forgetDerived } from '../../testing/derived.fixture.js';
import { TraceModule } from '../../trace.module.js';

const LONG = 'x'.repeat(257);
const NOTHING = { scanned: 0, has_more: false, oldest_started_at: null, count: 0 };

describe('POST /calls/facets', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    const at = (minute: number) => ({
      started_at: `2026-01-15T10:0${minute}:00Z`,
      ended_at: `2026-01-15T10:0${minute}:01Z`,
    });
    const calls = [
      aWholeCall('a', { ...at(0), attributes: { user: 'x', n: 1 }, summary: { usage: { m: {}, 'n.1': {} } } }),
      aWholeCall('b', { ...at(1), attributes: { user: 'x', n: '1' }, summary: { usage: { m: {} } }, exception: 'no' }),
      aWholeCall('c', { ...at(2), attributes: { user: null, n: [1, 'z'] }, thread_id: 'th', summary: { usage: {} } }),
      aWholeCall('d', { ...at(3), attributes: { user: LONG, n: true }, summary: { usage: 'odd' } }),
      aWholeCall('e', { ...at(4), attributes: { user: `${LONG}y`, __proto__x: 1 }, op_name: 'o\'p"; --' }),
    ];
    expect((await client.post('/v2/acme/demo/calls/complete', { batch: calls })).status).toBe(200);
    await client.post('/call/start', { start: aCallStart('runs', { started_at: '2026-01-15T10:05:00Z' }) });
  });
  afterAll(() => trace.close());

  const ask = async (body: object) => {
    const { status, text, json } = await client.post('/calls/facets', { project_id: PROJECT, ...body });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return json();
  };
  const valuesOf = async (field: string, body: object = {}) => {
    const { facets } = await ask({ fields: [field], ...body });
    return facets[0].values.map(({ value, count }: { value: string; count: number }) => [value, count]);
  };
  const equal = (field: string, value: unknown) => ({ $eq: [{ $getField: field }, { $literal: value }] });

  it('counts values of columns, of what is computed, and of paths, the most frequent first', async () => {
    expect(await ask({ fields: ['summary.hone.status', 'thread_id', 'op_name'] })).toEqual({
      ...{ scanned: 6, has_more: false, oldest_started_at: '2026-01-15T10:00:00.000Z', count: 6 },
      facets: [
        {
          field: 'summary.hone.status',
          values: [
            { value: 'success', count: 4 },
            { value: 'error', count: 1 },
            { value: 'running', count: 1 },
          ],
          ...{ other: 0, truncated: false },
        },
        {
          field: 'thread_id',
          values: [
            { value: null, count: 5 },
            { value: 'th', count: 1 },
          ],
          ...{ other: 0, truncated: false },
        },
        {
          field: 'op_name',
          values: [
            { value: 'hone:///acme/demo/op/predict:v0', count: 5 },
            { value: 'o\'p"; --', count: 1 },
          ],
          ...{ other: 0, truncated: false },
        },
      ],
    });
    expect(await valuesOf('attributes.n')).toEqual([
      ['1', 2],
      [null, 2],
      ['[1, "z"]', 1],
      ['true', 1],
    ]);
  });

  it('counts a call for each key of an object', async () => {
    expect(await valuesOf('summary.usage')).toEqual([
      [null, 3],
      ['m', 2],
      ['n.1', 1],
      ['odd', 1],
    ]);
    expect(await valuesOf('inputs')).toEqual([['q', 6]]);
  });

  it('counts for a root the models of its trace, each once', async () => {
    const project_id = 'acme/traced';
    const used = (...models: string[]) => ({
      summary: { usage: Object.fromEntries(models.map((model) => [model, { prompt_tokens: 1 }])) },
    });
    const a = { project_id: undefined, trace_id: 'ta' };
    const batch = [
      aWholeCall('a', a),
      aWholeCall('a1', { ...a, parent_id: 'a', ...used('m', 'n') }),
      aWholeCall('a2', { ...a, parent_id: 'a1', ...used('m') }),
      aWholeCall('gone', { ...a, parent_id: 'a', ...used('o') }),
      aWholeCall('b', { ...a, trace_id: 'tb', ...used('m') }),
      aWholeCall('c', { ...a, trace_id: 'tc' }),
    ];
    expect((await client.post('/v2/acme/traced/calls/complete', { batch })).status).toBe(200);
    await client.post('/calls/delete', { project_id, call_ids: ['gone'] });
    const body = { project_id, filter: { trace_roots_only: true } };
    const expected = [
      ['m', 2],
      ['n', 1],
      [null, 1],
    ];
    expect(await valuesOf('summary.hone.trace.models', body)).toEqual(expected);
    await forgetDerived(trace.sql);
    expect(await valuesOf('summary.hone.trace.models', body)).toEqual(expected);
    const query = { $expr: equal('summary.hone.trace.models', 'm') };
    expect((await client.post('/calls/facets', { project_id, fields: ['id'], query })).status).toBe(422);
  });

  it('leaves out long values, and those past the limit, and says so', async () => {
    const facet = async (limit: number) => (await ask({ fields: ['attributes.user'], limit })).facets[0];
    const [x, none] = [
      { value: 'x', count: 2 },
      { value: null, count: 2 },
    ];
    expect(await facet(50)).toEqual({ field: 'attributes.user', values: [x, none], other: 2, truncated: true });
    expect(await facet(1)).toEqual({ field: 'attributes.user', values: [x], other: 4, truncated: true });
    const onlyLong = { query: { $expr: equal('id', 'd') }, fields: ['attributes.user'] };
    expect((await ask(onlyLong)).facets[0]).toMatchObject({ values: [], other: 1, truncated: true });
  });

  it('counts the calls that match only, and among the newest of them', async () => {
    expect(await valuesOf('id', { query: { $expr: equal('attributes.user', 'x') } })).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(await ask({ fields: ['id'], sample: 2 })).toMatchObject({
      ...{ scanned: 2, has_more: true, oldest_started_at: '2026-01-15T10:04:00.000Z', count: 2 },
      facets: [{ values: [{ value: 'e' }, { value: 'runs' }] }],
    });
    // Columns choose what is read; values are looked at in what was read.
    const both = { $and: [equal('summary.hone.status', 'success'), equal('attributes.user', 'x')] };
    expect(await ask({ fields: ['id'], sample: 4, query: { $expr: both } })).toMatchObject({
      ...{ scanned: 4, has_more: false, oldest_started_at: '2026-01-15T10:00:00.000Z', count: 1 },
    });
    const value = { $expr: equal('attributes.user', 'x') };
    expect(await ask({ fields: ['id'], sample: 4, query: value })).toMatchObject({
      scanned: 4,
      has_more: true,
      count: 0,
    });
    const filter = { thread_ids: ['th'] };
    expect(await ask({ fields: ['id'], filter })).toMatchObject({ scanned: 1, has_more: false, count: 1 });
  });

  it('knows none of a project that is not there', async () => {
    expect(await ask({ project_id: 'acme/nothing', fields: ['id'] })).toEqual({
      ...NOTHING,
      facets: [{ field: 'id', values: [], other: 0, truncated: false }],
    });
  });

  it.each([
    [{ fields: ['nothing'] }, ['body', 'fields', 0], "There is no field 'nothing'"],
    [{ fields: ['id', 'op_name.x'] }, ['body', 'fields', 1], "There is no field 'op_name.x'"],
    [{ fields: ['y'.repeat(1_024)] }, ['body', 'fields', 0], `There is no field '${'y'.repeat(200)}'`],
    [{ fields: [] }, ['body', 'fields'], 'List should have at least 1 item'],
    [{ fields: Array.from({ length: 11 }, () => 'id') }, ['body', 'fields'], 'List should have at most 10 items'],
    [{ fields: ['id'], limit: 51 }, ['body', 'limit'], 'Input should be less than or equal to 50'],
    [{ fields: ['id'], limit: 0 }, ['body', 'limit'], 'Input should be greater than or equal to 1'],
    [{ fields: ['id'], sample: 100_001 }, ['body', 'sample'], 'Input should be less than or equal to 100000'],
    [{ fields: ['a\0'] }, ['body', 'fields', 0], 'String should not contain U+0000 or unpaired surrogates'],
    [
      { fields: ['id'], query: { $expr: { $and: [{ $x: 1 }] } } },
      ['body', 'query', '$expr', '$and', 0],
      "'$x' is no operator",
    ],
  ])('refuses %j', async (body, loc, msg) => {
    const { status, json } = await client.post('/calls/facets', { project_id: PROJECT, ...body });
    expect([status, json().detail.map(({ loc, msg }: { loc: unknown; msg: string }) => ({ loc, msg }))]).toEqual([
      ...[422, [{ loc, msg }]],
    ]);
  });

  it.each(["attributes.'; DROP TABLE calls; --", 'attributes.__proto__', 'inputs.0.-1', 'summary.\\.', 'output.a.b.c'])(
    'takes the path %s for what it is',
    async (field) => {
      expect(await valuesOf(field)).toEqual([[null, 6]]);
    },
  );
});
