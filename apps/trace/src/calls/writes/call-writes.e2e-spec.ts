import { startTestApp, statementsOf, type TestApp, type TestClient } from '@hone/testing';

import { PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const aStart = (fields: object = {}) => ({
  ...{ project_id: PROJECT, op_name: 'predict', started_at: '2026-01-15T09:59:00Z', attributes: {}, inputs: {} },
  ...fields,
});
const anEnd = (id: string, fields: object = {}) => ({
  ...{ project_id: PROJECT, id, ended_at: '2026-01-15T09:59:01Z', summary: {} },
  ...fields,
});
/** A call without the project, which the path names. */
const aWhole = (id: string, fields: object = {}) => ({
  ...aStart({ id }),
  ...anEnd(id),
  project_id: undefined,
  ...fields,
});

describe('writes of calls', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeEach(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterEach(() => trace.close());

  const rows = () =>
    trace.sql(`SELECT id, trace_id, display_name, started_at, ended_at, v.inputs_text AS inputs, v.output_text AS output
      FROM calls JOIN call_values v USING (project_id, id) ORDER BY id`);

  it.each([
    ['/call', { project_id: PROJECT }],
    ['/v2/acme/demo/call', {}],
    ['/v2/acme/demo/call', { project_id: PROJECT }],
  ])('stores halves through %s, in any order, and replaces one that comes again', async (path, project) => {
    const own = (half: object) => ({ ...half, project_id: undefined, ...project });
    const end = (fields: object) => client.post(`${path}/end`, { end: own(anEnd('a', fields)) });
    const start = (fields: object) => client.post(`${path}/start`, { start: own(aStart({ id: 'a', ...fields })) });
    expect((await end({ output: 1 })).text).toBe('{}');
    expect((await start({ trace_id: 't', inputs: { n: 1 } })).json()).toEqual({ id: 'a', trace_id: 't' });
    expect(await rows()).toMatchObject([{ id: 'a', trace_id: 't', inputs: '{"n":1}', output: '1' }]);
    expect((await start({ inputs: { n: 2 } })).json()).toEqual({ id: 'a', trace_id: 't' });
    expect((await end({ output: 2 })).status).toBe(200);
    expect(await rows()).toMatchObject([{ id: 'a', trace_id: 't', inputs: '{"n":2}', output: '2' }]);
  });

  it('makes ids and traces, and keeps the name of a call whose start comes again', async () => {
    const { id, trace_id } = (await client.post('/call/start', { start: aStart({ display_name: 'shown' }) })).json();
    expect([id, trace_id]).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    const again = await client.post('/call/start', { start: aStart({ id }) });
    expect(again.json()).toEqual({ id, trace_id });
    expect(await rows()).toMatchObject([{ id, trace_id, display_name: 'shown' }]);
  });

  it('shows the name that comes with the end of a call', async () => {
    await client.post('/call/start', { start: aStart({ id: 'a', display_name: 'first' }) });
    await client.post('/call/end', { end: anEnd('a', { display_name: 'last' }) });
    await client.post('/call/start', { start: aStart({ id: 'b', display_name: 'kept' }) });
    await client.post('/call/end', { end: anEnd('b', { display_name: null }) });
    expect(await rows()).toMatchObject([{ display_name: 'last' }, { display_name: 'kept' }]);
  });

  it('stores both halves of many calls that are sent at once, each acknowledged one', async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `c${n}`);
    const answers = await Promise.all(
      ids.flatMap((id, n) => [
        client.post('/call/start', { start: aStart({ id, inputs: { n } }) }),
        client.post('/call/end', { end: anEnd(id, { output: n }) }),
        client.post('/call/start', { start: aStart({ id, inputs: { n } }) }),
      ]),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const traces = new Map<string, Set<string>>();
    for (const { text } of answers) {
      const { id, trace_id } = JSON.parse(text);
      if (id) traces.set(id, (traces.get(id) ?? new Set()).add(trace_id));
    }
    expect([...traces.values()].every((found) => found.size === 1)).toBe(true);
    const stored = await rows();
    expect(stored.map(({ inputs, output }) => [inputs, output]).sort()).toEqual(
      ids.map((_, n) => [`{"n":${n}}`, String(n)]).sort(),
    );
  });

  it('shares statements among starts that are sent at once', async () => {
    await client.post('/call/start', { start: aStart() });
    const sent = await statementsOf(() =>
      Promise.all(Array.from({ length: 50 }, () => client.post('/call/start', { start: aStart() }))),
    );
    expect(sent.filter(({ text }) => text.includes('INSERT INTO calls ')).length).toBeLessThan(25);
    expect(await rows()).toHaveLength(51);
  });

  it('stores whole calls, all or none', async () => {
    const send = (...batch: object[]) => client.post('/v2/acme/demo/calls/complete', { batch });
    expect((await send()).text).toBe('{}');
    expect((await send(aWhole('a', { inputs: { n: 1 }, output: [1] }), aWhole('b'), aWhole('a'))).text).toBe('{}');
    expect(await rows()).toMatchObject([
      { id: 'a', inputs: '{}', output: 'null' },
      { id: 'b', inputs: '{}', output: 'null' },
    ]);
    const refused = await send(aWhole('c'), aWhole('d', { ended_at: undefined }));
    expect([refused.status, refused.json()]).toEqual([
      422,
      { detail: [{ loc: ['body', 'batch', 1, 'ended_at'], msg: 'Field required', type: 'missing' }] },
    ]);
    const large = 'é'.repeat(300_000);
    expect((await send(aWhole('e', { inputs: { large } }), aWhole('f'))).status).toBe(200);
    expect((await rows()).map(({ id }) => id)).toEqual(['a', 'b', 'e', 'f']);
  });

  it('refuses a body of another project than that of the path', async () => {
    const issue = (...loc: (string | number)[]) => ({
      detail: [{ loc, msg: `Input should be 'acme/demo', as in the path`, type: 'value_error' }],
    });
    const other = { project_id: 'acme/other' };
    const start = await client.post('/v2/acme/demo/call/start', { start: aStart(other) });
    const end = await client.post('/v2/acme/demo/call/end', { end: anEnd('a', other) });
    const complete = await client.post('/v2/acme/demo/calls/complete', { batch: [aWhole('a'), aWhole('b', other)] });
    expect([start.json(), end.json(), complete.json()]).toEqual([
      issue('body', 'start', 'project_id'),
      issue('body', 'end', 'project_id'),
      issue('body', 'batch', 1, 'project_id'),
    ]);
    expect(await rows()).toEqual([]);
  });

  it('keeps the exact text of values that jsonb refuses, and of numbers', async () => {
    const odd = '{"n":1.0,"big":12345678901234567890,"nul":"\\u0000","half":"\\ud800","__proto__":-0}';
    const body = JSON.stringify({ start: aStart({ id: 'a', inputs: '#' }) }).replace('"#"', odd);
    expect((await client.post('/call/start', body)).status).toBe(200);
    expect(await rows()).toMatchObject([{ inputs: odd }]);
  });
});
