import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { anObject, aTyped, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const OPS = '/v2/acme/demo/ops';

describe('ops', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const read = (objectId: string, selector: string) => client.get(`${OPS}/${objectId}/versions/${selector}`);

  it('stores source code in the form that SDKs read, under an op ref', async () => {
    const created = (await client.post(OPS, { name: 'Predict It', source_code: 'x = "é"\n' })).json();
    expect(created).toMatchObject({ object_id: 'predict_it', version_index: 0 });
    expect(created.op_ref).toBe(`hone:///${PROJECT}/op/predict_it:${created.digest}`);
    expect((await read('predict_it', created.digest)).json()).toEqual({
      object_id: 'predict_it',
      digest: created.digest,
      version_index: 0,
      created_at: expect.stringMatching(/Z$/),
      name: 'predict_it',
      description: null,
      code: 'x = "é"\n',
    });
    const val = (await client.post('/refs/read_batch', { refs: [created.op_ref] })).json().vals[0];
    expect(val).toEqual({
      _type: 'CustomWeaveType',
      weave_type: { type: 'Op' },
      files: { 'obj.py': expect.stringMatching(/^\w{43}$/) },
    });
    const code = await client.post('/file/content', { project_id: PROJECT, digest: val.files['obj.py'] });
    expect(code.text).toBe('x = "é"\n');
  });

  it('needs neither a name nor code', async () => {
    expect((await client.post(OPS, {})).json()).toMatchObject({ object_id: 'op', version_index: 0 });
    expect((await client.post(OPS, { name: null, source_code: null })).json().version_index).toBe(0);
    expect((await read('op', 'v0')).json().code).toBe('');
  });

  it('reads and deletes no object that is no op, and lists none', async () => {
    await client.post('/obj/create', anObject('thing', aTyped('Op')));
    await client.post('/obj/create', anObject('plain', { _type: 'Thing' }));
    expect((await read('plain', 'v0')).json().code).toBe('op.not_found');
    expect((await client.delete(`${OPS}/plain`)).json().code).toBe('op.not_found');
    expect((await client.delete(`${OPS}/plain?digests=v0`)).json().code).toBe('op.not_found');
    const { text } = await client.get(OPS);
    expect([text.includes('"plain"'), text.includes('"thing"')]).toEqual([false, true]);
  });

  it('points at what is wrong', async () => {
    for (const [body, loc, type] of [
      [{ source_code: 1 }, 'source_code', 'string_type'],
      [{ source_code: 'a\0' }, 'source_code', 'string_unicode'],
      [{ name: '\ud800' }, 'name', 'string_unicode'],
      [{ name: 'a:b' }, 'name', 'string_pattern_mismatch'],
      [{ description: 'd' }, 'description', 'extra_forbidden'],
    ] as const) {
      const { status, json } = await client.post(OPS, body);
      expect([body, status, json().detail]).toMatchObject([body, 422, [{ loc: ['body', loc], type }]]);
    }
    const proto = await client.post(OPS, '{"__proto__":{"name":"x"}}');
    expect([proto.status, proto.json().detail[0].loc]).toEqual([422, ['body', '__proto__']]);
  });
});
