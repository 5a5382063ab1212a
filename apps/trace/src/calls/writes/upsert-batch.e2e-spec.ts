import { startTestApp, statementsOf, type TestApp, type TestClient } from '@hone/testing';

import { PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const PATH = '/call/upsert_batch';

const aStart = (id: string | undefined, fields: object = {}) => ({
  mode: 'start',
  req: {
    start: {
      project_id: PROJECT,
      ...(id !== undefined && { id }),
      op_name: 'predict',
      started_at: '2026-01-15T09:59:00Z',
      attributes: {},
      inputs: {},
      ...fields,
    },
  },
});
const anEnd = (id: string, fields: object = {}) => ({
  mode: 'end',
  req: { end: { project_id: PROJECT, id, ended_at: '2026-01-15T09:59:01Z', summary: {}, ...fields } },
});

interface Row {
  id: string;
  trace_id: string | null;
  started_at: Date | null;
  ended_at: Date | null;
  inputs_text: string | null;
  output_text: string | null;
}

describe('POST /call/upsert_batch', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeEach(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterEach(() => trace.close());

  const send = async (...batch: object[]): Promise<{ id?: string; trace_id?: string }[]> => {
    const { status, json } = await client.post(PATH, { batch });
    expect(status).toBe(200);
    return json().res;
  };
  const rows = () =>
    trace.sql<Row>(`SELECT id, trace_id, started_at, ended_at, v.inputs_text, v.output_text
      FROM calls JOIN call_values v USING (project_id, id) ORDER BY id`);

  it('stores a thousand calls, both halves of each, in a few statements', async () => {
    await send(aStart('warm'));
    const ids = Array.from({ length: 1_000 }, (_, n) => `c${n}`);
    const batch = ids.flatMap((id) => [aStart(id, { trace_id: 't', inputs: { id } }), anEnd(id, { output: id })]);
    const sent = await statementsOf(async () => {
      expect(await send(...batch)).toEqual(ids.flatMap((id) => [{ id, trace_id: 't' }, {}]));
    });
    expect(sent.filter(({ text }) => text.includes('INSERT INTO calls '))).toHaveLength(1);
    expect(sent.length).toBeLessThan(10);
    const stored = (await rows()).filter(({ id }) => id !== 'warm');
    expect(stored).toHaveLength(1_000);
    for (const { id, inputs_text, output_text } of stored)
      expect([inputs_text, output_text]).toEqual([`{"id":"${id}"}`, `"${id}"`]);
  });

  it('takes halves in any order, in one request or several', async () => {
    await send(anEnd('a', { output: 1 }), anEnd('b', { output: 2 }), aStart('b', { inputs: { n: 2 } }));
    await send(aStart('a', { inputs: { n: 1 } }), aStart('c', { inputs: { n: 3 } }));
    await send(anEnd('c', { output: 3 }));
    expect((await rows()).map(({ id, inputs_text, output_text }) => [id, inputs_text, output_text])).toEqual([
      ['a', '{"n":1}', '1'],
      ['b', '{"n":2}', '2'],
      ['c', '{"n":3}', '3'],
    ]);
  });

  it('replaces a half that comes again, the last of a batch counts, and leaves the other half alone', async () => {
    await send(aStart('a', { inputs: { n: 1 }, trace_id: 't' }), anEnd('a', { output: 1 }));
    await send(aStart('a', { inputs: { n: 2 } }), aStart('a', { inputs: { n: 3 } }));
    expect(await rows()).toMatchObject([{ trace_id: 't', inputs_text: '{"n":3}', output_text: '1' }]);
    await send(anEnd('a', { output: 4 }), anEnd('a', { output: 5, ended_at: '2026-02-01T00:00:00Z' }));
    expect(await rows()).toMatchObject([
      { inputs_text: '{"n":3}', output_text: '5', ended_at: new Date('2026-02-01T00:00:00Z') },
    ]);
  });

  it('keeps the trace of a call that names none, and makes one for a new call', async () => {
    const [first, made] = await send(aStart('a', { trace_id: 't' }), aStart(undefined));
    expect(first).toEqual({ id: 'a', trace_id: 't' });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      trace_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await send(aStart('a'), aStart(made?.id))).toEqual([{ id: 'a', trace_id: 't' }, made]);
    expect(await send(aStart('a', { trace_id: 'u' }), aStart('a'))).toEqual([
      { id: 'a', trace_id: 'u' },
      { id: 'a', trace_id: 'u' },
    ]);
    await send(anEnd('late'));
    expect(await rows()).toMatchObject([
      { trace_id: made?.trace_id },
      { trace_id: 'u' },
      { id: 'late', trace_id: null },
    ]);
    const [late] = await send(aStart('late'));
    expect((await rows()).at(-1)).toMatchObject({ id: 'late', trace_id: late?.trace_id });
  });

  it('keeps exact texts, large values and refs', async () => {
    const inputs = '{"a":1.0,"b":"\\u0000\\ud800","ref":"x:///acme/demo/object/o:v0","r":"no ref"}';
    const large = { text: 'é'.repeat(300_000) };
    const body = JSON.stringify({ batch: [aStart('a', { inputs: '#' }), anEnd('a', { output: large })] });
    expect((await client.post(PATH, body.replace('"#"', inputs))).status).toBe(200);
    const [row] = await trace.sql(
      `SELECT v.inputs_text, inputs_json, input_refs, v.output_text, v.output_blob, output_refs, v.attributes_json
       FROM calls JOIN call_values v USING (project_id, id)`,
    );
    expect(row).toEqual({
      inputs_text: inputs,
      inputs_json: { a: 1, b: '\ufffd\ufffd', ref: 'x:///acme/demo/object/o:v0', r: 'no ref' },
      input_refs: ['acme/demo/object/o:v0'],
      output_text: null,
      output_blob: expect.any(String),
      output_refs: [],
      attributes_json: null,
    });
  });

  it('names one call in two projects, and calls of opposite batches at once', async () => {
    await send(aStart('a', { inputs: { n: 1 } }), aStart('a', { project_id: 'acme/other', inputs: { n: 2 } }));
    expect((await rows()).map(({ inputs_text }) => inputs_text).sort()).toEqual(['{"n":1}', '{"n":2}']);
    const ids = Array.from({ length: 100 }, (_, n) => `x${n}`);
    const batches = [ids, [...ids].reverse(), ids, [...ids].reverse()];
    await Promise.all(batches.map((some) => send(...some.map((id) => aStart(id)), ...some.map((id) => anEnd(id)))));
    expect(await rows()).toHaveLength(102);
  });

  it('stores nothing of a batch that has a wrong half', async () => {
    const { status } = await client.post(PATH, { batch: [aStart('a'), anEnd('a', { ended_at: 'never' })] });
    expect(status).toBe(422);
    expect(await rows()).toEqual([]);
  });
});
