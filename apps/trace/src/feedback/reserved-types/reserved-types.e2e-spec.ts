import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, anObject, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const PATH = '/feedback/create';
const OBJECT = 'hone:///acme/demo/object/o:v0';
const OP = 'hone:///acme/demo/op/o:v0';
const CALL = 'hone:///acme/demo/call/c';
const SPEC = 'hone:///acme/demo/object/good:latest';

/** Least valid body per type, the fields it needs, and the fields that must be absent. */
const TYPES = [
  {
    type: 'hone.note.1',
    least: { payload: { note: 'n' } },
    needs: [],
    absent: ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref', 'scorer_tags', 'scorer_ratings'],
  },
  {
    type: 'hone.reaction.1',
    least: { payload: { emoji: '👍' } },
    needs: [],
    absent: ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref', 'scorer_tag_reasons'],
  },
  {
    type: 'hone.correction.1',
    least: { payload: { output: 'better' } },
    needs: [],
    absent: ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref', 'scorer_tags', 'scorer_ratings'],
  },
  {
    type: 'hone.preference.1',
    least: { payload: { chosen: CALL, rejected: `${CALL}2` }, trace_ref: CALL },
    needs: ['trace_ref'],
    absent: ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref', 'scorer_tags', 'scorer_ratings'],
  },
  {
    type: 'hone.annotation.good',
    least: { payload: { value: 1 }, annotation_ref: SPEC },
    needs: ['annotation_ref'],
    absent: [
      'scorer_tags',
      'scorer_tag_reasons',
      'scorer_tag_confidences',
      'scorer_ratings',
      'scorer_rating_reasons',
      'scorer_rating_confidences',
    ],
  },
  {
    type: 'hone.runnable.o',
    least: { payload: { output: null }, runnable_ref: OBJECT },
    needs: ['runnable_ref'],
    absent: ['annotation_ref'],
  },
  {
    type: 'hone.agent_monitor',
    least: { payload: {}, runnable_ref: OBJECT, call_ref: CALL, trigger_ref: OBJECT },
    needs: ['runnable_ref', 'call_ref', 'trigger_ref'],
    absent: ['annotation_ref'],
  },
  {
    type: 'hone.agent_user_feedback',
    least: { payload: {}, scorer_tags: ['helpful'] },
    needs: ['scorer_tags'],
    absent: ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'],
  },
] as const;

/** A valid value for each field that may be forbidden. */
const VALUES: Record<string, unknown> = {
  annotation_ref: OBJECT,
  runnable_ref: OP,
  call_ref: CALL,
  trigger_ref: OBJECT,
  scorer_tags: ['a'],
  scorer_tag_reasons: { a: 'b' },
  scorer_tag_confidences: { a: 1 },
  scorer_ratings: { a: 1 },
  scorer_rating_reasons: { a: 'b' },
  scorer_rating_confidences: { a: 1 },
};

describe('reserved feedback types', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await putSpec('good', { type: 'number' });
  });
  afterAll(() => trace.close());

  const putSpec = async (name: string, field_schema: unknown) =>
    expect(
      (await client.post('/obj/create', anObject(name, { field_schema }, { builtin_object_class: 'AnnotationSpec' })))
        .status,
    ).toBe(200);
  const send = (feedback_type: string, fields: object) => client.post(PATH, aFeedback({ feedback_type, ...fields }));
  const issueOf = async (feedback_type: string, fields: object) => {
    const response = await send(feedback_type, fields);
    expect(response.status).toBe(422);
    return response.json().detail[0] as { loc: unknown[]; type: string; msg: string };
  };

  describe.each(TYPES)('$type', ({ type, least, needs, absent }) => {
    it('takes the least valid body, and empty values of what must be absent', async () => {
      expect((await send(type, least)).status).toBe(200);
      const empty = Object.fromEntries(
        absent.map((field) => [field, field.endsWith('_ref') ? null : field === 'scorer_tags' ? [] : {}]),
      );
      expect((await send(type, { ...least, ...empty })).status).toBe(200);
    });

    it('misses every field that it needs', async () => {
      for (const field of needs) {
        expect(await issueOf(type, { ...least, [field]: undefined })).toEqual({
          loc: ['body', field],
          msg: 'Field required',
          type: 'missing',
        });
      }
    });

    it('refuses every field that must be absent', async () => {
      for (const field of absent) {
        expect(await issueOf(type, { ...least, [field]: VALUES[field] })).toMatchObject({
          loc: ['body', field],
          type: 'value_error',
        });
      }
    });

    it('refuses a queue that is not there', async () => {
      expect(await issueOf(type, { ...least, queue_id: 'nowhere' })).toMatchObject({
        loc: ['body', 'queue_id'],
        type: 'value_error',
      });
    });

    it('takes a live queue of the project', async () => {
      const { id } = (await client.post('/annotation_queues', { project_id: PROJECT, name: 'q' })).json();
      expect((await send(type, { ...least, queue_id: id })).status).toBe(200);
    });
  });

  it('checks notes', async () => {
    expect(await issueOf('hone.note.1', { payload: {} })).toEqual({
      loc: ['body', 'payload', 'note'],
      msg: 'Field required',
      type: 'missing',
    });
    expect((await issueOf('hone.note.1', { payload: { note: 5 } })).type).toBe('string_type');
    expect((await issueOf('hone.note.1', { payload: { note: '' } })).type).toBe('string_too_short');
    expect((await issueOf('hone.note.1', { payload: { note: 'x'.repeat(1_025) } })).type).toBe('string_too_long');
    expect((await send('hone.note.1', { payload: { note: '😀'.repeat(1_024) } })).status).toBe(200);
  });

  it('checks corrections: a text, or a message of the assistant that says something', async () => {
    const message = { role: 'assistant', content: 'better' };
    for (const output of [message, { ...message, content: null, tool_calls: [{}] }, { ...message, content: [{}] }])
      expect((await send('hone.correction.1', { payload: { output } })).status).toBe(200);
    const wrong = async (payload: object) => {
      const { loc, type } = await issueOf('hone.correction.1', { payload });
      return [loc.slice(1).join('.'), type];
    };
    expect(await wrong({})).toEqual(['payload.output', 'missing']);
    expect(await wrong({ output: '' })).toEqual(['payload.output', 'string_too_short']);
    expect(await wrong({ output: 5 })).toEqual(['payload.output', 'value_error']);
    expect(await wrong({ output: { ...message, role: 'user' } })).toEqual(['payload.output.role', 'value_error']);
    expect(await wrong({ output: { role: 'assistant', content: '' } })).toEqual(['payload.output', 'value_error']);
  });

  it('checks preferences: two calls of the project, the better of which is judged', async () => {
    const other = 'hone:///acme/demo/call/d';
    const prefer = (payload: object, trace_ref: string = CALL) => ({ payload, trace_ref });
    for (const reason of [undefined, null, '', '😀'.repeat(1_024)])
      expect((await send('hone.preference.1', prefer({ chosen: CALL, rejected: other, reason }))).status).toBe(200);
    expect(
      (await send('hone.preference.1', prefer({ chosen: CALL, rejected: other }, 'weave:///acme/demo/call/c'))).status,
    ).toBe(200);
    const wrong = async (payload: object, traceRef?: string) => {
      const { loc, type } = await issueOf('hone.preference.1', prefer(payload, traceRef));
      return [loc.slice(1).join('.'), type];
    };
    expect(await wrong({ rejected: other })).toEqual(['payload.chosen', 'missing']);
    expect(await wrong({ chosen: CALL })).toEqual(['payload.rejected', 'missing']);
    expect(await wrong({ chosen: CALL, rejected: 7 })).toEqual(['payload.rejected', 'string_type']);
    expect(await wrong({ chosen: CALL, rejected: CALL })).toEqual(['payload.rejected', 'value_error']);
    for (const rejected of ['x', OBJECT, 'hone:///acme/other/call/d', `hone:///acme/demo/call/${'d'.repeat(100_000)}`])
      expect((await wrong({ chosen: CALL, rejected }))[0]).toBe('payload.rejected');
    expect(await wrong({ chosen: CALL, rejected: other, reason: 5 })).toEqual(['payload.reason', 'string_type']);
    expect(await wrong({ chosen: CALL, rejected: other, reason: 'x'.repeat(1_025) })).toEqual([
      ...['payload.reason', 'string_too_long'],
    ]);
    expect(await wrong({ chosen: CALL, rejected: other }, other)).toEqual(['trace_ref', 'value_error']);
    expect(await wrong({ chosen: CALL, rejected: other }, OBJECT)).toEqual(['trace_ref', 'value_error']);
  });

  it('describes exactly one emoji', async () => {
    expect((await send('hone.reaction.1', { payload: { emoji: '👍🏽' } })).json().payload).toEqual({
      emoji: '👍🏽',
      alias: ':thumbs_up_medium_skin_tone:',
      detoned: '👍',
      detoned_alias: ':thumbs_up:',
    });
    for (const emoji of ['👨‍👩‍👧', '❤️', '❤', '🇧🇷', '1️⃣'])
      expect((await send('hone.reaction.1', { payload: { emoji } })).status).toBe(200);
    for (const emoji of ['👍👍', 'a', '', ' 👍', 7, null]) {
      expect((await issueOf('hone.reaction.1', { payload: { emoji } })).loc).toEqual(['body', 'payload', 'emoji']);
    }
  });

  it('wants a name behind hone.annotation and hone.runnable, and leaves other hone types free', async () => {
    for (const type of ['hone.annotation', 'hone.annotation.', 'hone.runnable'])
      expect((await issueOf(type, { payload: {} })).loc).toEqual(['body', 'feedback_type']);
    for (const type of ['hone.custom', 'hone.note.2', 'hone.annotations.x']) {
      expect((await send(type, { payload: {}, scorer_tags: ['x'], queue_id: 'none' })).status).toBe(200);
    }
  });

  it('wants the runnable of that name, and a call for an op', async () => {
    const least = { payload: { output: 1 } };
    expect(await issueOf('hone.runnable.other', { ...least, runnable_ref: OBJECT })).toMatchObject({
      loc: ['body', 'runnable_ref'],
    });
    expect(await issueOf('hone.runnable.o', { ...least, runnable_ref: OP })).toMatchObject({
      loc: ['body', 'call_ref'],
      type: 'missing',
    });
    expect((await send('hone.runnable.o', { ...least, runnable_ref: OP, call_ref: CALL })).status).toBe(200);
    expect(await issueOf('hone.runnable.o', { payload: {}, runnable_ref: OBJECT })).toMatchObject({
      loc: ['body', 'payload', 'output'],
      type: 'missing',
    });
  });

  it('wants an annotation to answer to a live spec of its project and name', async () => {
    const value = { payload: { value: 1 } };
    for (const annotation_ref of [
      'hone:///acme/demo/object/other:latest',
      'hone:///acme/other/object/good:latest',
      'hone:///acme/demo/object/good:v9',
    ]) {
      expect((await issueOf('hone.annotation.good', { ...value, annotation_ref })).loc).toEqual([
        'body',
        'annotation_ref',
      ]);
    }
    await client.post('/obj/create', anObject('plain', { a: 1 }));
    expect(
      (await issueOf('hone.annotation.plain', { ...value, annotation_ref: 'hone:///acme/demo/object/plain:latest' }))
        .loc,
    ).toEqual(['body', 'annotation_ref']);
    expect(await issueOf('hone.annotation.good', { payload: {}, annotation_ref: SPEC })).toMatchObject({
      loc: ['body', 'payload', 'value'],
      type: 'missing',
    });
  });

  it('checks the value against the schema of the spec', async () => {
    await putSpec('shape', {
      type: 'object',
      properties: { stars: { $ref: '#/$defs/stars' } },
      $defs: { stars: { type: 'integer', maximum: 5 } },
    });
    const annotation_ref = 'hone:///acme/demo/object/shape:latest';
    expect((await send('hone.annotation.shape', { payload: { value: { stars: 5.0 } }, annotation_ref })).status).toBe(
      200,
    );
    expect(await issueOf('hone.annotation.shape', { payload: { value: { stars: 6 } }, annotation_ref })).toMatchObject({
      loc: ['body', 'payload', 'value', 'stars'],
      type: 'value_error',
    });
  });

  it('is not held up by a pattern that would take for ever', async () => {
    await putSpec('slow', { type: 'string', pattern: '(a+)+$' });
    const annotation_ref = 'hone:///acme/demo/object/slow:latest';
    expect(
      (await send('hone.annotation.slow', { payload: { value: `${'a'.repeat(50_000)}!` }, annotation_ref })).status,
    ).toBe(422);
    expect((await send('hone.annotation.slow', { payload: { value: 'aaa' }, annotation_ref })).status).toBe(200);
  });

  it('cuts off schemas that take exponential time or recurse without end', async () => {
    const twice = (next: string) => ({ allOf: [{ $ref: next }, { $ref: next }] });
    const levels = Array.from({ length: 40 }, (_, n) => [
      `l${n}`,
      n === 39 ? { minLength: 0 } : twice(`#/$defs/l${n + 1}`),
    ]);
    await putSpec('exponential', { ...twice('#/$defs/l0'), $defs: Object.fromEntries(levels) });
    await putSpec('endless', { $ref: '#' });
    for (const name of ['exponential', 'endless']) {
      const fields = { payload: { value: 'x' }, annotation_ref: `hone:///acme/demo/object/${name}:latest` };
      expect((await send(`hone.annotation.${name}`, fields)).status).toBe(422);
    }
  });

  it('says that a schema cannot be used', async () => {
    const unusable = [
      { type: 'nothing' },
      { $ref: 'https://example.com/schema' },
      { pattern: '(' },
      { pattern: '(a)\\1' },
      5,
      { description: 'x'.repeat(70_000) },
    ];
    for (const [index, schema] of unusable.entries()) {
      await putSpec(`bad-${index}`, schema);
      const fields = { payload: { value: 'x' }, annotation_ref: `hone:///acme/demo/object/bad-${index}:latest` };
      expect((await issueOf(`hone.annotation.bad-${index}`, fields)).loc).toEqual(['body', 'annotation_ref']);
    }
  });

  it('refuses an annotation whose spec was deleted', async () => {
    await putSpec('gone', {});
    await trace.sql(`UPDATE object_versions SET deleted_at = now() WHERE object_id = 'gone'`);
    const fields = { payload: { value: 1 }, annotation_ref: 'hone:///acme/demo/object/gone:v0' };
    expect((await issueOf('hone.annotation.gone', fields)).loc).toEqual(['body', 'annotation_ref']);
  });

  it('names the element of a batch', async () => {
    const response = await client.post('/feedback/batch/create', {
      batch: [aFeedback(), aFeedback({ feedback_type: 'hone.note.1' })],
    });
    expect(response.json().detail[0].loc).toEqual(['body', 'batch', 1, 'payload', 'note']);
  });
});
