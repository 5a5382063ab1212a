import type { JsonValue } from '@hone/contracts';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const equals = (name: string, $literal: JsonValue) => ({ $eq: [{ $getField: name }, { $literal }] });
const traceHas = (...conditions: object[]) => ({
  $traceHas: conditions.length === 1 ? conditions[0] : { $and: conditions },
});

describe('$traceHas', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    const call = (id: string, parent_id: string | null, op_name: string, more: object = {}) =>
      aWholeCall(id, { trace_id: `trace-${id[0]}`, parent_id, op_name, ...more });
    const broken = { exception: 'ConnectionError' };
    const batch = [
      call('a', null, 'answer', { output: 'the refund is due' }),
      call('a1', 'a', 'lookup', broken),
      call('a2', 'a', 'model', { output: { text: 'Refund' }, inputs: { deep: [{ n: 5 }] } }),
      call('b', null, 'answer', { output: 'nothing' }),
      call('b1', 'b', 'lookup'),
      call('b2', 'b', 'search', broken),
      call('c', null, 'lookup', broken),
    ];
    expect((await client.post('/v2/acme/demo/calls/complete', { batch })).status).toBe(200);
    // Of another project, under the same id of a trace.
    const other = [aWholeCall('o', { project_id: 'acme/other', trace_id: 'trace-b', op_name: 'elsewhere' })];
    expect((await client.post('/v2/acme/other/calls/complete', { batch: other })).status).toBe(200);
  });
  afterAll(() => trace.close());

  const query = ($expr: object, more: object = {}) =>
    client.post('/calls/query', { project_id: PROJECT, query: { $expr }, columns: ['id'], ...more });
  async function found($expr: object, more: object = { filter: { trace_roots_only: true } }): Promise<string> {
    const { status, text, json } = await query($expr, more);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return (json().calls as { id: string }[])
      .map(({ id }) => id)
      .sort()
      .join();
  }

  it('finds roots whose trace has one call that meets all of a condition', async () => {
    expect(await found(traceHas(equals('op_name', 'lookup')))).toBe('a,b,c');
    expect(await found(traceHas(equals('op_name', 'lookup'), equals('summary.hone.status', 'error')))).toBe('a,c');
    const twice = [traceHas(equals('op_name', 'lookup')), traceHas(equals('summary.hone.status', 'error'))];
    expect(await found({ $and: twice })).toBe('a,b,c');
    expect(await found({ $not: traceHas(equals('op_name', 'model')) })).toBe('b,c');
    expect(await found({ $or: [traceHas(equals('op_name', 'model')), equals('id', 'c')] })).toBe('a,c');
    expect(await found(traceHas({ $and: [] }))).toBe('a,b,c');
    expect(await found(traceHas({ $or: [] }))).toBe('');
  });

  it('sees values of the other call, and those of the call itself beside it', async () => {
    const deep = traceHas({ $gt: [{ $getField: 'inputs.deep.0.n' }, { $literal: 4 }] });
    expect(await found(deep)).toBe('a');
    expect(await found({ $and: [equals('output', 'the refund is due'), deep] })).toBe('a');
    expect(await found({ $and: [equals('output', 'nothing'), deep] })).toBe('');
    expect(await found(traceHas(equals('project_id', PROJECT)))).toBe('a,b,c');
  });

  it('searches words of the other call', async () => {
    const words = { $search: { words: { $literal: 'refund' }, input: { $getField: 'output' } } };
    expect(await found(traceHas(words, equals('op_name', 'model')))).toBe('a');
    expect(await found(traceHas(words, equals('op_name', 'lookup')))).toBe('');
  });

  it('asks the trace of any call, of the project alone', async () => {
    expect(await found(traceHas(equals('op_name', 'search')), {})).toBe('b,b1,b2');
    expect(await found(traceHas(equals('op_name', 'elsewhere')), {})).toBe('');
  });

  it('does not see calls that are deleted', async () => {
    const batch = [
      aWholeCall('d', { trace_id: 'trace-d' }),
      aWholeCall('d1', { trace_id: 'trace-d', parent_id: 'd', op_name: 'gone' }),
    ];
    await client.post('/v2/acme/demo/calls/complete', { batch });
    expect(await found(traceHas(equals('op_name', 'gone')))).toBe('d');
    await client.post('/calls/delete', { project_id: PROJECT, call_ids: ['d1'] });
    expect(await found(traceHas(equals('op_name', 'gone')))).toBe('');
    await client.post('/calls/delete', { project_id: PROJECT, call_ids: ['d'] });
  });

  it('holds for counts, facets, figures, charts and exports alike', async () => {
    const body = { project_id: PROJECT, query: { $expr: traceHas(equals('op_name', 'model')) } };
    const day = { start: '2026-01-15T00:00:00Z', end: '2026-01-16T00:00:00Z' };
    const post = async (path: string, more: object = {}) => {
      const { status, json, text } = await client.post(path, { ...body, ...more });
      expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
      return json;
    };
    expect((await post('/calls/query_stats'))()).toMatchObject({ count: 3 });
    const facets = (await post('/calls/facets', { fields: ['op_name', 'inputs.deep'] }))();
    expect(facets).toMatchObject({ count: 3 });
    expect((await post('/calls/stats', day))().buckets).toMatchObject([{ count: 3, error_count: 1 }]);
    const chart = { ...day, measures: ['calls', 'p50_latency_ms', 'thumbs_up'] };
    expect((await post('/calls/charts', chart))().totals).toMatchObject({ calls: 3 });
    expect((await post('/calls/charts', { ...chart, group_by: ['op'] }))().series).toHaveLength(3);
    const { status, text } = await client.post('/export', { ...body, source: 'calls', format: 'raw' });
    expect([status, text.trim().split('\n').length]).toEqual([200, 3]);
  });

  it('is refused where it cannot be, at its place', async () => {
    const one = traceHas(equals('op_name', 'x'));
    const refused = async (expression: object, msg: RegExp) => {
      const { status, json } = await query(expression);
      expect([status, json().detail?.[0]?.msg]).toEqual([422, expect.stringMatching(msg)]);
      return json().detail[0].loc;
    };
    expect(await refused(traceHas(equals('op_name', 'a'), one), /cannot be within another/)).toEqual([
      'body',
      'query',
      '$expr',
      '$traceHas',
      '$and',
      1,
    ]);
    await refused({ $and: Array.from({ length: 5 }, () => one) }, /at most 4/);
    await refused(traceHas(equals('nothing', 1)), /no field 'nothing'/);
    await refused({ $traceHas: 'x' }, /dictionary|object/);
    await refused({ $traceHas: [] }, /One operand/);
    await refused({ $traceHas: [equals('id', 'a'), equals('id', 'b')] }, /One operand/);
    const deep = Array.from({ length: 40 }).reduce<object>((inner) => ({ $not: inner }), equals('id', 'a'));
    await refused(traceHas(deep), /at most 32 levels/);
    const feedback = await client.post('/feedback/query', { project_id: PROJECT, query: { $expr: one } });
    expect([feedback.status, feedback.text]).toEqual([422, expect.stringContaining("'$traceHas' is for calls only")]);
    const purge = await client.post('/cost/purge', { project_id: PROJECT, query: { $expr: one } });
    expect(purge.status).toBe(422);
  });
});
