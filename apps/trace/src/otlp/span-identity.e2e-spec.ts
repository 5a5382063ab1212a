import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { PROJECT } from '../testing/bodies.fixture.js';
import { anExport, aSpan, TRACE_A, TRACE_B } from '../testing/spans.fixture.js';
import { TraceModule } from '../trace.module.js';

const X = '7777777777777777';
const CHILD = '1111111111111111';

describe('one span id in two traces', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  beforeEach(() => trace.sql('TRUNCATE calls, call_values'));
  afterAll(() => trace.close());

  const send = async (...spans: object[]) => {
    const { status, text } = await client.post('/otel/v1/traces', anExport(...spans), {
      headers: { 'content-type': 'application/json', 'hone-project': PROJECT },
    });
    expect({ status, text }).toEqual({ status: 200, text: '{}' });
  };
  const calls = async (filter: object = {}) => {
    const body = { project_id: PROJECT, filter, sort_by: [{ field: 'op_name', direction: 'asc' }] };
    const lines = (await client.post('/calls/stream_query', body)).text.split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line)).map(({ id, op_name, parent_id }) => [op_name, id, parent_id]);
  };
  const first = aSpan(TRACE_A, X, { name: 'first' });
  const second = aSpan(TRACE_B, X, { name: 'second' });

  it.each([
    ['in one request', [[first, second]]],
    ['one after the other', [[first], [second]]],
    ['again, in the other order', [[first], [second], [second, first]]],
  ])('is two calls, sent %s', async (_how, requests) => {
    for (const spans of requests) await send(...spans);
    expect(await calls()).toEqual([
      ['first', X, null],
      ['second', `${TRACE_B}-${X}`, null],
    ]);
  });

  it('is two calls, sent at the same moment', async () => {
    const traces = Array.from({ length: 20 }, (_, n) => `${'c'.repeat(30)}${10 + n}`);
    await Promise.all(traces.map((id) => send(aSpan(id, X, { name: id }))));
    expect((await calls()).map(([name]) => name)).toEqual(traces);
  });

  it.each([
    ['before', (child: object, parent: object) => [[child], [first], [parent]]],
    ['before and after', (child: object, parent: object) => [[first], [child], [parent]]],
    ['after', (child: object, parent: object) => [[first], [parent], [child]]],
    ['together with', (child: object, parent: object) => [[first], [child, parent]]],
    ['all together', (child: object, parent: object) => [[child, first, parent]]],
  ])('has the children of its own trace, sent %s it', async (_when, requestsOf) => {
    const child = aSpan(TRACE_B, CHILD, { name: 'child', parentSpanId: X });
    for (const spans of requestsOf(child, second)) await send(...spans);
    const parent = `${TRACE_B}-${X}`;
    expect(await calls()).toEqual([
      ['child', CHILD, parent],
      ['first', X, null],
      ['second', parent, null],
    ]);
    expect((await calls({ trace_roots_only: true })).map(([name]) => name)).toEqual(['first', 'second']);
  });

  it('leaves a child whose parent never came out of the other trace', async () => {
    await send(first);
    await send(aSpan(TRACE_B, CHILD, { name: 'child', parentSpanId: X }));
    expect(await calls({ trace_roots_only: true })).toEqual([
      ['child', CHILD, `${TRACE_B}-${X}`],
      ['first', X, null],
    ]);
  });

  it('replaces the call of an id that has its trace', async () => {
    await send(first);
    await send(aSpan(TRACE_A, X, { name: 'once more' }));
    expect(await calls()).toEqual([['once more', X, null]]);
  });
});
