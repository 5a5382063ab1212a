import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const PATH = '/feedback/create';
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe(`POST ${PATH}`, () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const issuesOf = async (body: unknown) => {
    const response = await client.post(PATH, body);
    expect(response.status).toBe(422);
    return response.json().detail as { loc: unknown[]; msg: string; type: string }[];
  };

  it('stores a record and answers it as sent', async () => {
    const sent = `{"project_id":"acme/demo","trace_ref":"hone:///acme/demo/call/c1","feedback_type":"quality","payload":{"score":1.0,"why":"é"},"scorer_ratings":{"overall":0.75}}`;
    const response = await client.post(PATH, sent);
    const { id, created_at, svc_user_id } = response.json();
    expect(response.status).toBe(200);
    expect(id).toMatch(UUID_V7);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(svc_user_id).toBe(trace.writer.id);
    expect(response.text).toBe(
      `{"id":"${id}","created_at":"${created_at}","svc_user_id":"${svc_user_id}","payload":{"score":1.0,"why":"é"}}`,
    );
  });

  it('takes the id of a chat completion for the call that it became', async () => {
    const { trace_ref: _ref, ...rest } = aFeedback({ id: 'thumb' });
    const answer = await client.post(PATH, { ...rest, completion_id: 'chatcmpl-01a208ab-2939-7005' });
    expect(answer.status).toBe(200);
    const byId = { $eq: [{ $getField: 'id' }, { $literal: 'thumb' }] };
    const { result } = (await client.post('/feedback/query', { project_id: PROJECT, query: { $expr: byId } })).json();
    expect(result).toMatchObject([{ trace_ref: `hone:///${PROJECT}/call/01a208ab-2939-7005` }]);
    const issues = [{ loc: ['body', 'completion_id'], type: 'value_error', msg: 'Should be absent beside trace_ref' }];
    expect(await issuesOf({ ...aFeedback(), completion_id: 'chatcmpl-1' })).toEqual(issues);
    expect(await issuesOf(rest)).toMatchObject([{ loc: ['body', 'trace_ref'], type: 'missing' }]);
    expect(await issuesOf({ ...rest, completion_id: null })).toMatchObject([{ loc: ['body', 'trace_ref'] }]);
    for (const completion_id of ['', 'c1', 'chatcmpl-', 'chatcmpl-a/b', `chatcmpl-${'x'.repeat(129)}`])
      expect(await issuesOf({ ...rest, completion_id })).toMatchObject([
        { loc: ['body', 'completion_id'], type: 'string_pattern_mismatch' },
      ]);
    const batch = [{ ...rest, id: 'other', completion_id: 'chatcmpl-2', trace_ref: 'hone:///acme/demo/call/c1' }];
    const refused = await client.post('/feedback/batch/create', { batch });
    expect(refused.json().detail).toMatchObject([{ loc: ['body', 'batch', 0, 'completion_id'] }]);
  });

  it('takes every optional field of a free-form type', async () => {
    const body = aFeedback({
      id: 'everything',
      creator: 'a person',
      feedback_type: 'quality',
      annotation_ref: 'hone:///acme/demo/object/spec:v0',
      runnable_ref: 'hone:///acme/demo/op/scorer:v0',
      call_ref: 'hone:///acme/demo/call/c2',
      trigger_ref: 'hone:///acme/other/object/monitor:latest',
      queue_id: 'no-queue',
      scorer_tags: ['b', 'a', 'b'],
      scorer_tag_reasons: { z: 'because' },
      scorer_tag_confidences: { b: 0.5 },
      scorer_ratings: { overall: 0, best: 1 },
      scorer_rating_reasons: { overall: '' },
      scorer_rating_confidences: { overall: 1 },
      svc_user_id: 'somebody else',
    });
    const created = await client.post(PATH, body);
    expect(created.json()).toMatchObject({ id: 'everything', svc_user_id: trace.writer.id });
    const read = await client.post('/feedback/query', {
      project_id: PROJECT,
      query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'everything' }] } },
    });
    expect(read.json()).toEqual({
      result: [{ ...body, created_at: created.json().created_at, svc_user_id: trace.writer.id }],
      total_count: 1,
    });
  });

  it('takes ratings from 0 to 1 and names the key of another', async () => {
    expect((await client.post(PATH, aFeedback({ scorer_ratings: { a: 0, b: 1 } }))).status).toBe(200);
    const issue = { loc: ['body', 'scorer_ratings', 'x'], msg: 'Input should be a valid number', type: 'float_type' };
    expect(await issuesOf(aFeedback({ scorer_ratings: { x: -0.001 } }))).toEqual([
      { ...issue, msg: 'Input should be greater than or equal to 0', type: 'greater_than_equal' },
    ]);
    expect(await issuesOf(aFeedback({ scorer_ratings: { x: 1.001 } }))).toEqual([
      { ...issue, msg: 'Input should be less than or equal to 1', type: 'less_than_equal' },
    ]);
    expect(await issuesOf(aFeedback({ scorer_ratings: { x: true } }))).toEqual([issue]);
    expect(await issuesOf(aFeedback({ scorer_ratings: { x: '1' } }))).toEqual([issue]);
  });

  it('takes null only where the interface says so', async () => {
    expect(await issuesOf(aFeedback({ scorer_tags: null }))).toEqual([
      { loc: ['body', 'scorer_tags'], msg: 'Input should be a valid list', type: 'list_type' },
    ]);
    const nulls = {
      id: null,
      creator: null,
      annotation_ref: null,
      runnable_ref: null,
      call_ref: null,
      trigger_ref: null,
      queue_id: null,
      svc_user_id: null,
    };
    expect((await client.post(PATH, aFeedback(nulls))).status).toBe(200);
  });

  it('lists every error in the order of the fields, unknown ones last', async () => {
    const body =
      '{"extra":1,"project_id":"acme/demo","feedback_type":"t","payload":[],"scorer_tag_confidences":{"toxic":1.5}}';
    expect(await issuesOf(body)).toEqual([
      { loc: ['body', 'trace_ref'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'payload'], msg: 'Input should be a valid object', type: 'dict_type' },
      {
        loc: ['body', 'scorer_tag_confidences', 'toxic'],
        msg: 'Input should be less than or equal to 1',
        type: 'less_than_equal',
      },
      { loc: ['body', 'extra'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
    ]);
  });

  it('stores SQL metacharacters literally in every text', async () => {
    const nasty = `'; DROP TABLE feedback; -- " \\ % _ $1 {}`;
    const body = aFeedback({
      id: nasty,
      creator: nasty,
      feedback_type: nasty,
      payload: { [nasty]: nasty },
      queue_id: nasty,
      scorer_tags: [nasty],
      scorer_tag_reasons: { [nasty]: nasty },
      scorer_ratings: { [nasty]: 1 },
    });
    expect((await client.post(PATH, body)).status).toBe(200);
    const read = await client.post('/feedback/query', {
      project_id: PROJECT,
      query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: nasty }] } },
    });
    expect(read.json().result[0]).toMatchObject(body);
  });
});
