import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aCallEnd, aCallStart, aWholeCall, PROJECT } from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

const BEFORE_ALL = '0000-12-31T23:59:59Z';
const FIRST = '0001-01-01T00:00:00Z';
const LAST = '9999-12-31T23:59:59.999Z';

const project_id = PROJECT;
const field = (name: string) => ({ $getField: name });
const after = (name: string, time: string) => ({ $expr: { $gt: [field(name), { $literal: time }] } });

/** Each body that says a time, by its route. */
const BODIES: [route: string, bodyOf: (time: string) => object][] = [
  ['/call/start', (started_at) => ({ start: aCallStart('s', { started_at }) })],
  ['/call/end', (ended_at) => ({ end: aCallEnd('s', { ended_at }) })],
  [
    '/v2/acme/demo/calls/complete',
    (started_at) => ({ batch: [aWholeCall('w', { started_at, ended_at: started_at })] }),
  ],
  ['/calls/stream_query', (time) => ({ project_id, query: after('started_at', time) })],
  ['/calls/stats', (start) => ({ project_id, start, end: LAST })],
  [
    '/calls/charts',
    (start) => ({ project_id, start, end: LAST, measures: ['calls', 'cost', 'p50_latency_ms', 'thumbs_up'] }),
  ],
  ['/calls/facets', (time) => ({ project_id, fields: ['op_name'], query: after('started_at', time) })],
  ['/threads/stream_query', (after_datetime) => ({ project_id, filter: { after_datetime } })],
  [
    '/cost/create',
    (effective_date) => ({
      project_id,
      costs: { m: { prompt_token_cost: 1, completion_token_cost: 1, effective_date } },
    }),
  ],
  ['/cost/query', (time) => ({ project_id, query: after('effective_date', time) })],
  ['/feedback/query', (time) => ({ project_id, query: after('created_at', time) })],
  ['/feedback/payload_schema', (start) => ({ project_id, start, end: LAST })],
  ['/obj/read', (as_of) => ({ project_id, object_id: 'o', digest: 'latest', as_of })],
];

describe('times that bodies say', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await client.post('/obj/create', { obj: { project_id, object_id: 'o', val: 1 } });
  });
  afterAll(() => trace.close());

  it.each(BODIES)('are refused before the year 1: %s', async (route, bodyOf) => {
    const { status, text } = await client.post(route, bodyOf(BEFORE_ALL));
    expect(status).toBe(422);
    expect(text).toContain('Input should be an ISO 8601 date-time of the years 0001 to 9999');
  });

  it.each(BODIES)('are taken from the first to the last: %s', async (route, bodyOf) => {
    for (const time of [FIRST, LAST]) {
      const { status } = await client.post(route, bodyOf(time));
      expect(status).toBe(route === '/obj/read' && time === FIRST ? 404 : 200);
    }
  });

  it('are within the years that can be said, where they are computed', async () => {
    const owner = trace.as(await trace.user('ora', { roles: { acme: 'owner' } }));
    await owner.post('/project/ttl_settings/update', { project_id, retention_days: 36_500 });
    await client.post('/v2/acme/demo/calls/complete', {
      batch: [aWholeCall('l', { started_at: LAST, ended_at: LAST })],
    });
    const { call } = (await client.post('/call/read', { project_id, id: 'l' })).json();
    expect(call.expire_at).toBe(LAST);
    await client.post('/v2/acme/demo/calls/complete', {
      batch: [aWholeCall('f', { started_at: FIRST, ended_at: FIRST })],
    });
    const { buckets } = (await client.post('/calls/stats', { project_id, start: FIRST })).json();
    expect(buckets[0].timestamp).toBe('0001-01-01T00:00:00.000Z');
  });
});
