import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const CHUNK_BYTES = 262_144;
/** Characters of one to four bytes: a chunk ends within each of them in turn. */
const LETTERS = 'aé中😀';

describe('values in chunks', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const store = async (id: string, values: Record<string, unknown>) => {
    const batch = [aWholeCall(id, values)];
    expect((await client.post('/v2/acme/demo/calls/complete', { batch })).status).toBe(200);
  };
  const read = (id: string, options: object = {}) => client.post('/call/read', { project_id: PROJECT, id, ...options });

  it('are read as they were sent, whatever they are cut in', async () => {
    for (const [at, chunks] of [1.5, 7.9, 8, 8.1, 17].entries()) {
      const bytes = chunks * CHUNK_BYTES - 2; // beside its quotes
      const output = 'x'.repeat(at) + LETTERS.repeat(Math.floor((bytes - at) / 10)) + 'y'.repeat((bytes - at) % 10);
      await store(`c${at}`, { output });
      const { status, headers, json } = await read(`c${at}`);
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(json().call.output === output).toBe(true);
      const lines = await client.post('/calls/stream_query', { project_id: PROJECT, filter: { call_ids: [`c${at}`] } });
      expect((JSON.parse(lines.text) as { output: string }).output === output).toBe(true);
    }
  });

  it('are read beside each other, and beside what is computed', async () => {
    const large = { inputs: { q: LETTERS.repeat(60_000) }, attributes: { a: [LETTERS.repeat(30_000)] } };
    const summary = { usage: { m: { prompt_tokens: 5 } }, note: LETTERS.repeat(30_000) };
    await store('all', { ...large, summary, output: 1.0 });
    const { call } = (await read('all', { include_storage_size: true })).json();
    const few = (await client.post('/calls/query', { project_id: PROJECT, filter: { call_ids: ['all'] } })).json();
    const { storage_size_bytes, ...others } = call;
    expect(storage_size_bytes).toBeGreaterThan(1_200_000);
    expect(JSON.stringify(others) === JSON.stringify(few.calls[0])).toBe(true);
    expect([call.inputs.q, call.attributes.a[0]].map((text: string) => text.length)).toEqual([300_000, 150_000]);
    expect([call.output, call.summary.usage.m, call.summary.hone.status]).toEqual([1, { prompt_tokens: 5 }, 'success']);
  });
});
