import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { anObject, aTyped, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const SCORERS = '/v2/acme/demo/scorers';
const op_source_code = 'def score(output):\n    return 1\n';

describe('scorers', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const read = (objectId: string, selector: string) => client.get(`${SCORERS}/${objectId}/versions/${selector}`);

  it('answers what was created', async () => {
    const created = (await client.post(SCORERS, { name: 'Exact/Match', description: 'd', op_source_code })).json();
    expect(created).toMatchObject({ object_id: 'exact_match', version_index: 0 });
    expect(created.scorer).toBe(`hone:///${PROJECT}/object/exact_match:${created.digest}`);
    expect((await read('exact_match', 'v0')).json()).toEqual({
      object_id: 'exact_match',
      digest: created.digest,
      version_index: 0,
      created_at: expect.stringMatching(/Z$/),
      name: 'Exact/Match',
      description: 'd',
      op_source_code,
      score_op: null,
      definition: null,
    });
    expect((await client.post('/refs/read_batch', { refs: [created.scorer] })).json().vals[0]).toEqual({
      ...aTyped('Scorer', { name: 'Exact/Match', description: 'd' }),
      files: { 'obj.py': expect.stringMatching(/^\w{43}$/) },
    });
  });

  it('answers the definition of a scorer that Hone runs', async () => {
    const definition = { kind: 'check', check: { check: 'contains', value: 'cat' } };
    const { object_id, digest } = (await client.post(SCORERS, { name: 'Says cat', definition })).json();
    expect((await read(object_id, digest)).json()).toMatchObject({ op_source_code: '', score_op: null, definition });
    const { status, json } = await client.post(SCORERS, { name: 'a', definition: { kind: 'check' } });
    expect([status, json().detail]).toMatchObject([422, [{ loc: ['body', 'definition', 'check'], type: 'missing' }]]);
  });

  it('reads a scorer of a subclass whose method is an op', async () => {
    const score = `hone:///${PROJECT}/op/judge.score:v0`;
    const val = { _type: 'Judge', _class_name: 'Judge', _bases: ['Scorer', 'Object', 'BaseModel'], score };
    await client.post('/obj/create', anObject('judge', val));
    const version = (await read('judge', 'latest')).json();
    expect(version).toMatchObject({ name: 'judge', op_source_code: '', score_op: score });
  });

  it('points at what is wrong', async () => {
    for (const [body, loc, type] of [
      [{ op_source_code }, 'name', 'missing'],
      [{ name: 'a' }, 'op_source_code', 'missing'],
      [{ name: 'a', op_source_code: 'x\0' }, 'op_source_code', 'string_unicode'],
      [{ name: 'What?', op_source_code }, 'name', 'string_pattern_mismatch'],
      [{ name: 'a\u0007', op_source_code }, 'name', 'string_pattern_mismatch'],
      [{ name: 'a', op_source_code, description: 'weave-trace-internal:///x' }, 'description', 'value_error'],
      [{ name: 'a', op_source_code, rows: [] }, 'rows', 'extra_forbidden'],
    ] as const) {
      const { status, json } = await client.post(SCORERS, body);
      expect([body, status, json().detail]).toMatchObject([body, 422, [{ loc: ['body', loc], type }]]);
    }
  });
});
