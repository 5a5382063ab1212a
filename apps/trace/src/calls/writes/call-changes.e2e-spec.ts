import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aCallEnd, aCallStart, aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

describe('changes of calls', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeEach(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterEach(() => trace.close());

  const complete = (...batch: object[]) => client.post('/v2/acme/demo/calls/complete', { batch });
  const read = async (id: string, fields: object = {}) =>
    (await client.post('/call/read', { project_id: PROJECT, id, ...fields })).json().call;
  const shown = async () =>
    (
      await client.post('/calls/stream_query', {
        project_id: PROJECT,
        columns: ['id'],
        sort_by: [{ field: 'id', direction: 'asc' }],
      })
    ).text
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line).id as string]))
      .join('');

  it('reads a call that ended before it began as one finished call', async () => {
    await client.post('/call/end', { end: aCallEnd('a', { output: { n: 1.0 } }) });
    expect(await read('a')).toBeNull();
    expect((await client.post('/call/read', { project_id: PROJECT, id: 'a' })).text).toBe('{"call":null}');
    await client.post('/call/start', { start: aCallStart('a') });
    expect(await read('a', { include_storage_size: true })).toMatchObject({
      ...{ id: 'a', inputs: { q: '2+2' }, output: { n: 1 }, ended_at: '2026-01-15T09:59:01.000Z' },
      ...{ storage_size_bytes: 2 + 11 + 7 + 2, summary: { hone: { status: 'success', latency_ms: 1_000 } } },
    });
    expect(await read('b')).toBeNull();
    const unknown = await client.post('/call/read', { project_id: 'acme/nothing', id: 'a' });
    expect([unknown.status, unknown.json().code]).toEqual([404, 'project.not_found']);
  });

  it('names a call to show, and takes the name back', async () => {
    await complete(aWholeCall('a'));
    const rename = (call_id: string, display_name: string) =>
      client.post('/call/update', { project_id: PROJECT, call_id, display_name });
    expect((await rename('a', 'sum')).text).toBe('{}');
    expect(await read('a')).toMatchObject({ display_name: 'sum', summary: { hone: { trace_name: 'sum' } } });
    expect((await rename('a', '')).status).toBe(200);
    expect(await read('a')).toMatchObject({ display_name: null, summary: { hone: { trace_name: 'predict' } } });
    await client.post('/call/end', { end: aCallEnd('end-only') });
    for (const id of ['b', 'end-only']) {
      const missing = await rename(id, 'x');
      expect([missing.status, missing.json()]).toEqual([
        404,
        { detail: `There is no call '${id}' in 'acme/demo'.`, code: 'call.not_found' },
      ]);
    }
  });

  it('deletes calls with all that they made, and in no other project', async () => {
    const tree = [
      aWholeCall('a'),
      aWholeCall('b', { parent_id: 'a' }),
      aWholeCall('c', { parent_id: 'b' }),
      aWholeCall('d', { parent_id: 'a' }),
      aWholeCall('e'),
      aWholeCall('x', { parent_id: 'y' }),
      aWholeCall('y', { parent_id: 'x' }),
    ];
    await complete(...tree);
    await client.post('/v2/acme/other/calls/complete', {
      batch: [aWholeCall('a', { project_id: undefined }), aWholeCall('b', { project_id: undefined, parent_id: 'a' })],
    });
    const remove = async (...call_ids: string[]) =>
      (await client.post('/calls/delete', { project_id: PROJECT, call_ids })).json();
    expect(await remove('d', 'none')).toEqual({ num_deleted: 1 });
    expect(await remove('a', 'b', 'd')).toEqual({ num_deleted: 3 });
    expect(await remove('x')).toEqual({ num_deleted: 2 });
    expect(await remove('a')).toEqual({ num_deleted: 0 });
    expect(await remove()).toEqual({ num_deleted: 0 });
    expect(await shown()).toBe('e');
    expect(await read('a')).toBeNull();
    const other = await client.post('/calls/query_stats', { project_id: 'acme/other' });
    expect(other.json()).toEqual({ count: 2, has_more: false });
    // What comes late of a deleted call does not bring it back.
    await client.post('/call/end', { end: aCallEnd('a') });
    await complete(aWholeCall('a'));
    expect(await shown()).toBe('e');
  });

  it('deletes while batches write the same calls, without a deadlock', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `c${n}`);
    const calls = ids.map((id, n) => aWholeCall(id, n > 0 ? { parent_id: `c${n - 1}` } : {}));
    await complete(...calls);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        n % 2 === 0
          ? complete(...[...calls].reverse())
          : client.post('/calls/delete', { project_id: PROJECT, call_ids: ['c0', 'c59'] }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await shown()).toBe('');
  });

  it('shows each call whole while its halves are written again and again', async () => {
    const write = async (n: number) => {
      const half = (mode: 'start' | 'end', req: object) => ({ mode, req: { [mode]: req } });
      const batch = [half('start', aCallStart('a', { inputs: { n } })), half('end', aCallEnd('a', { output: n }))];
      expect((await client.post('/call/upsert_batch', { batch })).status).toBe(200);
      const call = await read('a');
      expect(call.inputs.n).toBe(call.output);
      expect(call.output).toBeGreaterThanOrEqual(n);
    };
    const others = (async () => {
      for (let round = 0; round < 40; round++) {
        const call = await read('a');
        if (call) expect(call.inputs.n).toBe(call.output);
      }
    })();
    for (let n = 0; n < 40; n++) await write(n);
    await others;
  });
});
