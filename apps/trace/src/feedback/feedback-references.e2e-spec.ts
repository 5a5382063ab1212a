import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const PATH = '/feedback/create';

describe('references and ids of feedback', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const count = async (where = 'true') =>
    Number((await trace.sql<{ n: string }>(`SELECT count(*) AS n FROM feedback WHERE ${where}`))[0]?.n);
  const issuesOf = async (body: unknown) => {
    const response = await client.post(PATH, body);
    expect(response.status).toBe(422);
    return response.json().detail as { loc: unknown[]; msg: string; type: string }[];
  };

  it('takes refs of any scheme and no other shape', async () => {
    for (const scheme of ['hone', 'weave', 'x+y.z-1']) {
      expect((await client.post(PATH, aFeedback({ trace_ref: `${scheme}:///acme/demo/object/cfg:v0` }))).status).toBe(
        200,
      );
    }
    const bad = [
      'Hone:///acme/demo/object/a:v0',
      '1x:///acme/demo/object/a:v0',
      'hone://acme/demo/object/a:v0',
      'hone:///acme/demo/object/a',
      'hone:///acme/demo/table/a:v0',
      '',
    ];
    for (const trace_ref of bad)
      expect((await issuesOf(aFeedback({ trace_ref })))[0]).toMatchObject({
        loc: ['body', 'trace_ref'],
        type: 'string_pattern_mismatch',
      });
  });

  it('takes in each reference the kinds that belong there', async () => {
    const call = 'hone:///acme/demo/call/c';
    const object = 'hone:///acme/demo/object/o:v0';
    const op = 'hone:///acme/demo/op/o:v0';
    expect((await issuesOf(aFeedback({ annotation_ref: call })))[0]?.loc).toEqual(['body', 'annotation_ref']);
    expect((await client.post(PATH, aFeedback({ runnable_ref: object }))).status).toBe(200);
    expect((await issuesOf(aFeedback({ trigger_ref: op })))[0]?.loc).toEqual(['body', 'trigger_ref']);
    expect((await issuesOf(aFeedback({ call_ref: object })))[0]?.loc).toEqual(['body', 'call_ref']);
  });

  it('gives one record to 50 parallel creates of one id', async () => {
    const body = aFeedback({ id: 'same-50', payload: { n: 1 } });
    const equal = await Promise.all(Array.from({ length: 50 }, () => client.post(PATH, body)));
    expect(new Set(equal.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(equal[0]?.status).toBe(200);
    expect(await count(`id = 'same-50'`)).toBe(1);
    const different = await Promise.all(
      Array.from({ length: 50 }, (_, n) => client.post(PATH, aFeedback({ id: 'other-50', payload: { n } }))),
    );
    expect(different.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(different.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it('takes one id in two projects', async () => {
    for (const project_id of ['acme/one', 'acme/two'])
      expect((await client.post(PATH, aFeedback({ id: 'shared', project_id }))).status).toBe(200);
  });

  it('refuses ids that are too long, empty, or no text', async () => {
    expect((await issuesOf(aFeedback({ id: 'x'.repeat(129) })))[0]).toEqual({
      loc: ['body', 'id'],
      msg: 'String should have at most 128 characters',
      type: 'string_too_long',
    });
    expect((await issuesOf(aFeedback({ id: '' })))[0]?.type).toBe('string_too_short');
    for (const id of ['a\0b', '\ud800']) expect((await issuesOf(aFeedback({ id })))[0]?.type).toBe('string_unicode');
    expect((await client.post(PATH, aFeedback({ id: '😀'.repeat(128) }))).status).toBe(200);
  });

  it('compares content without scheme and with number text', async () => {
    const first = await client.post(
      PATH,
      '{"id":"fb-1","project_id":"acme/demo","trace_ref":"x-y:///acme/demo/object/cfg:v0","feedback_type":"t","payload":{"a":1.0,"b":[]}}',
    );
    const again = await client.post(
      PATH,
      '{"payload":{"b":[],"a":1.0},"id":"fb-1","project_id":"acme/demo","trace_ref":"hone:///acme/demo/object/cfg:v0","feedback_type":"t","scorer_tags":[]}',
    );
    expect(again.text).toBe(first.text);
    const other = await client.post(
      PATH,
      '{"id":"fb-1","project_id":"acme/demo","trace_ref":"hone:///acme/demo/object/cfg:v0","feedback_type":"t","payload":{"a":1,"b":[]}}',
    );
    expect([other.status, other.json()]).toEqual([
      409,
      { detail: "Feedback id 'fb-1' already exists in 'acme/demo' with other content.", code: 'feedback.id_taken' },
    ]);
  });

  it('answers the stored record to every user who sends the same content', async () => {
    const other = await trace.user('other-writer', { roles: { acme: 'writer' } });
    const first = await client.post(PATH, aFeedback({ id: 'by-wendy' }));
    expect((await trace.as(other).post(PATH, aFeedback({ id: 'by-wendy' }))).text).toBe(first.text);
  });

  it('takes the longest names, and no ref that an index could not hold', async () => {
    const wide = (count: number, from: number) =>
      Array.from({ length: count }, (_, n) => String.fromCodePoint(from + ((n * 7919) % 20_000))).join('');
    const project = wide(128, 0x20000);
    const body = aFeedback({
      project_id: `acme/${project}`,
      feedback_type: wide(256, 0x20000),
      id: wide(128, 0x20000),
      queue_id: wide(128, 0x20000),
    });
    expect((await client.post(PATH, body)).status).toBe(200);
    const ref = (length: number) => `hone:///acme/${project}/object/o:v0/attr/${wide(length, 0x4e00)}`;
    const room = Math.floor((2_000 - Buffer.byteLength(ref(0))) / 3);
    expect((await client.post(PATH, aFeedback({ trace_ref: ref(room), trigger_ref: ref(room) }))).status).toBe(200);
    expect((await issuesOf(aFeedback({ trace_ref: ref(room + 1) })))[0]?.loc).toEqual(['body', 'trace_ref']);
    const start = {
      project_id: PROJECT,
      op_name: wide(512, 0x20000),
      started_at: '2026-01-01T00:00:00Z',
      attributes: {},
      inputs: {},
    };
    expect((await client.post('/call/upsert_batch', { batch: [{ mode: 'start', req: { start } }] })).status).toBe(200);
  });
});
