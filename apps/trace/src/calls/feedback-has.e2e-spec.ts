import type { JsonValue } from '@hone/contracts';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const equals = (name: string, $literal: JsonValue) => ({ $eq: [{ $getField: name }, { $literal }] });
const feedbackHas = (...conditions: object[]) => ({
  $feedbackHas: conditions.length === 1 ? conditions[0] : { $and: conditions },
});
const DOWN = equals('payload.detoned', '👎');

describe('$feedbackHas', () => {
  let trace: TestApp;
  let client: TestClient;
  const judge = async (id: string, feedback_type: string, payload: object, more: object = {}, project = PROJECT) => {
    const trace_ref = `hone:///${project}/call/${id}`;
    const body = { project_id: project, trace_ref, feedback_type, payload, ...more };
    const { status, json } = await client.post('/feedback/create', body);
    expect(status).toBe(200);
    return (json() as { id: string }).id;
  };
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    const call = (id: string, parent_id: string | null = null) =>
      aWholeCall(id, { trace_id: `trace-${id[0]}`, parent_id, op_name: 'answer' });
    const batch = [call('a'), call('a1', 'a'), call('b'), call('c')];
    expect((await client.post('/v2/acme/demo/calls/complete', { batch })).status).toBe(200);
    // Of another project, under the same id.
    const other = [aWholeCall('c', { project_id: 'acme/other' })];
    expect((await client.post('/v2/acme/other/calls/complete', { batch: other })).status).toBe(200);
    await judge('a1', 'hone.reaction.1', { emoji: '👎🏽' });
    await judge('b', 'hone.reaction.1', { emoji: '👍' });
    await judge('b', 'hone.note.1', { note: 'too long' }, { creator: 'ada' });
    await judge('c', 'review', {}, { scorer_ratings: { polite: 0.25 } });
    await judge('c', 'hone.reaction.1', { emoji: '👎' }, {}, 'acme/other');
  });
  afterAll(() => trace.close());

  const query = ($expr: object, more: object = {}) =>
    client.post('/calls/query', { project_id: PROJECT, query: { $expr }, columns: ['id'], ...more });
  async function found($expr: object, more: object = {}): Promise<string> {
    const { status, text, json } = await query($expr, more);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return (json().calls as { id: string }[])
      .map(({ id }) => id)
      .sort()
      .join();
  }

  it('finds calls of which one record meets all of a condition', async () => {
    expect(await found(feedbackHas(DOWN))).toBe('a1');
    expect(await found(feedbackHas(equals('feedback_type', 'hone.reaction.1')))).toBe('a1,b');
    expect(await found(feedbackHas(equals('creator', 'ada'), equals('feedback_type', 'hone.note.1')))).toBe('b');
    expect(await found(feedbackHas(equals('creator', 'ada'), equals('feedback_type', 'hone.reaction.1')))).toBe('');
    const rude = { $lt: [{ $getField: 'scorer_ratings.polite' }, { $literal: 0.5 }] };
    expect(await found(feedbackHas(rude))).toBe('c');
    expect(await found(feedbackHas({ $and: [] }))).toBe('a1,b,c');
  });

  it('is joined with other conditions, and asked of calls of a trace', async () => {
    expect(await found({ $not: feedbackHas({ $and: [] }) })).toBe('a');
    expect(await found({ $or: [feedbackHas(DOWN), equals('id', 'c')] })).toBe('a1,c');
    expect(await found({ $and: [feedbackHas(DOWN), equals('id', 'c')] })).toBe('');
    const roots = { filter: { trace_roots_only: true } };
    expect(await found({ $traceHas: feedbackHas(DOWN) }, roots)).toBe('a');
    expect(await found({ $traceHas: { $and: [feedbackHas(DOWN), equals('id', 'a')] } }, roots)).toBe('');
    expect(await found({ $traceHas: { $or: [feedbackHas(DOWN), equals('id', 'c')] } }, roots)).toBe('a,c');
    expect(await found({ $traceHas: { $not: feedbackHas(DOWN) } }, roots)).toBe('a,b,c');
    expect(await found({ $not: { $traceHas: feedbackHas(DOWN) } }, roots)).toBe('b,c');
    const both = { $and: [{ $traceHas: feedbackHas(DOWN) }, { $traceHas: equals('id', 'a') }] };
    expect(await found(both, roots)).toBe('a');
  });

  it('holds for counts, facets, charts and exports alike', async () => {
    const body = { project_id: PROJECT, query: { $expr: feedbackHas(DOWN) } };
    const post = async (path: string, more: object = {}) => {
      const { status, json, text } = await client.post(path, { ...body, ...more });
      expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
      return json();
    };
    expect(await post('/calls/query_stats')).toMatchObject({ count: 1 });
    expect(await post('/calls/facets', { fields: ['op_name'] })).toMatchObject({ count: 1 });
    const chart = { start: '2026-01-15T00:00:00Z', end: '2026-01-16T00:00:00Z', measures: ['calls', 'thumbs_down'] };
    expect((await post('/calls/charts', chart)).totals).toMatchObject({ calls: 1 });
    const { status, text } = await client.post('/export', { ...body, source: 'calls', format: 'raw' });
    expect([status, text.trim().split('\n').length]).toEqual([200, 1]);
  });

  it('forgets what is taken back', async () => {
    const id = await judge('c', 'hone.reaction.1', { emoji: '👎' });
    expect(await found(feedbackHas(DOWN))).toBe('a1,c');
    const purge = { project_id: PROJECT, query: { $expr: equals('id', id) } };
    expect((await client.post('/feedback/purge', purge)).status).toBe(200);
    expect(await found(feedbackHas(DOWN))).toBe('a1');
  });

  it.each([
    ['of a field of calls', feedbackHas(equals('op_name', 'x')), /There is no field 'op_name'/],
    ['within another', feedbackHas(feedbackHas(DOWN)), /'\$feedbackHas' is for calls only/],
    ['with a search', feedbackHas({ $search: { words: { $literal: 'a' } } }), /'\$search' is for calls only/],
    ['with a trace', feedbackHas({ $traceHas: equals('op_name', 'x') }), /'\$traceHas' is for calls only/],
    ['five times', { $or: Array.from({ length: 5 }, () => feedbackHas(DOWN)) }, /at most 4 '\$feedbackHas'/],
  ])('is refused %s', async (_name, expression, msg) => {
    const { status, json } = await query(expression);
    expect([status, json().detail?.[0]?.msg]).toEqual([422, expect.stringMatching(msg)]);
  });

  it('is for calls only', async () => {
    const body = { project_id: PROJECT, query: { $expr: feedbackHas(DOWN) } };
    expect((await client.post('/feedback/query', body)).status).toBe(422);
  });
});
