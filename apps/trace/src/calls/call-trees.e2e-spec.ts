import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aCallEnd, aCallStart, aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { anExport, aSpan, TRACE_A } from '../testing/spans.fixture.js';
import { TraceModule } from '../trace.module.js';

/** Ids that spans may have, too. */
const [ROOT, CHILD, LEAF, ELSEWHERE] = ['1', '2', '3', 'e'].map((digit) => digit.repeat(16)) as [
  string,
  string,
  string,
  string,
];
interface Node {
  id: string;
  parent: string | null;
  failed?: boolean;
}
type Door = (client: TestClient, nodes: readonly Node[]) => Promise<number>;

const start = ({ id, parent }: Node) => aCallStart(id, { parent_id: parent, trace_id: TRACE_A });
const end = ({ id, failed }: Node) => aCallEnd(id, { exception: failed ? 'no' : null });

/** Each way in which calls come in. */
const DOORS: Record<string, Door> = {
  '/call/start and /call/end': async (client, nodes) => {
    for (const node of nodes) {
      await client.post('/call/start', { start: start(node) });
      await client.post('/call/end', { end: end(node) });
    }
    return 200;
  },
  '/call/upsert_batch': async (client, nodes) => {
    const batch = nodes.flatMap((node) => [
      { mode: 'start', req: { start: start(node) } },
      { mode: 'end', req: { end: end(node) } },
    ]);
    return (await client.post('/call/upsert_batch', { batch })).status;
  },
  '/v2/acme/demo/calls/complete': async (client, nodes) => {
    const batch = nodes.map((node) => ({ ...aWholeCall(node.id), ...start(node), ...end(node) }));
    return (await client.post('/v2/acme/demo/calls/complete', { batch })).status;
  },
  '/otel/v1/traces': async (client, nodes) => {
    const spans = nodes.map(({ id, parent, failed }) =>
      aSpan(TRACE_A, id, {
        ...(parent && { parentSpanId: parent }),
        ...(failed && { status: { code: 2, message: 'no' } }),
      }),
    );
    const headers = { 'content-type': 'application/json', 'hone-project': PROJECT };
    return (await client.post('/otel/v1/traces', anExport(...spans), { headers })).status;
  },
};

describe.each(Object.entries(DOORS))('trees of calls that come in at %s', (_path, door) => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  beforeEach(() => trace.sql('TRUNCATE calls, call_values'));
  afterAll(() => trace.close());

  const send = async (...nodes: Node[]) => expect(await door(client, nodes)).toBe(200);
  const read = async (body: object) => {
    const asked = { project_id: PROJECT, sort_by: [{ field: 'id', direction: 'asc' }], ...body };
    const lines = (await client.post('/calls/stream_query', asked)).text.split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line));
  };
  const roots = async () => (await read({ filter: { trace_roots_only: true } })).map(({ id }) => id);
  const statuses = async () => Object.fromEntries((await read({})).map(({ id, summary }) => [id, summary.hone.status]));

  const root = { id: ROOT, parent: null };
  const child = { id: CHILD, parent: ROOT };
  const leaf = { id: LEAF, parent: CHILD };
  const failed = { ...leaf, failed: true };

  it('count the topmost call that arrived as a root', async () => {
    await send({ id: CHILD, parent: ELSEWHERE }, leaf);
    expect(await roots()).toEqual([CHILD]);
    const filter = { trace_roots_only: true };
    const counted = await client.post('/calls/query_stats', { project_id: PROJECT, filter });
    expect(counted.json()).toEqual({ count: 1, has_more: false });
    const facets = await client.post('/calls/facets', { project_id: PROJECT, filter, fields: ['id'] });
    expect(facets.json().facets[0].values).toEqual([{ value: CHILD, count: 1 }]);
    const range = { start: '2026-01-01T00:00:00Z', end: '2026-12-31T00:00:00Z', granularity: 31_536_000 };
    const stats = await client.post('/calls/stats', { project_id: PROJECT, filter, ...range });
    expect(stats.text).toContain('"count":1');
  });

  it('count it no more once its parent has come', async () => {
    await send(leaf);
    await send(child);
    expect(await roots()).toEqual([CHILD]);
    await send(root);
    expect(await roots()).toEqual([ROOT]);
  });

  it('never count a call whose parent came before', async () => {
    await send(root);
    await send(child);
    await send(leaf, child);
    expect(await roots()).toEqual([ROOT]);
  });

  it('are one tree though all calls come at the same moment', async () => {
    await Promise.all([send(leaf), send(child), send(root), send(failed)]);
    expect(await roots()).toEqual([ROOT]);
    await send(failed);
    expect(await statuses()).toMatchObject({ [ROOT]: 'descendant_error' });
  });

  it.each([
    ['leaf first', [[failed], [child], [root]]],
    ['root first', [[root], [child], [failed]]],
    ['middle last', [[failed], [root], [child]]],
    ['all at once', [[root, child, failed]]],
  ])('mark every call above one that failed, %s', async (_order, batches) => {
    for (const nodes of batches) await send(...nodes);
    const marked = { [ROOT]: 'descendant_error', [CHILD]: 'descendant_error' };
    expect(await statuses()).toEqual({ ...marked, [LEAF]: 'error' });
    const expression = { $eq: [{ $getField: 'summary.hone.status' }, { $literal: 'descendant_error' }] };
    expect((await read({ query: { $expr: expression } })).map(({ id }) => id)).toEqual([ROOT, CHILD]);
  });

  it('mark no call whose other children alone failed, and none once the failure is replaced', async () => {
    await send(root, child, failed, { id: '4'.repeat(16), parent: ROOT });
    await send(leaf);
    expect(Object.values(await statuses())).toEqual(['success', 'success', 'success', 'success']);
  });
});
