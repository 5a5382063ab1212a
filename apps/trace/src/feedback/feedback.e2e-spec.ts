import { gzipSync } from 'node:zlib';

import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const PATH = '/feedback/create';
const BATCH = '/feedback/batch/create';
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('feedback', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const count = async (where = 'true') =>
    Number((await trace.sql<{ n: string }>(`SELECT count(*) AS n FROM feedback WHERE ${where}`))[0]?.n);
  const issuesOf = async (body: unknown, path = PATH) => {
    const response = await client.post(path, body);
    expect(response.status).toBe(422);
    return response.json().detail as { loc: unknown[]; msg: string; type: string }[];
  };

  describe(`POST ${PATH}`, () => {
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

    it('keeps numbers and characters of the payload exactly, there and in later queries', async () => {
      const payload = '{"a":1.0,"b":12345678901234567890,"c":"\\u0000\\ud800","d":-0,"e":1E5,"f":1e-99999}';
      const created = await client.post(
        PATH,
        `{"id":"exact","project_id":"acme/demo","trace_ref":"hone:///acme/demo/call/c1","feedback_type":"t","payload":${payload}}`,
      );
      expect(created.status).toBe(200);
      expect(created.text).toContain(`"payload":${payload}`);
      const read = await client.post('/feedback/query', {
        project_id: PROJECT,
        query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'exact' }] } },
      });
      expect(read.text).toContain(`"payload":${payload}`);
    });

    it('treats __proto__ as an ordinary key of a payload and as an unknown field elsewhere', async () => {
      const inside = await client.post(
        PATH,
        '{"project_id":"acme/demo","trace_ref":"hone:///acme/demo/call/c1","feedback_type":"t","payload":{"__proto__":{"x":1},"constructor":2}}',
      );
      expect(inside.text).toContain('"payload":{"__proto__":{"x":1},"constructor":2}');
      expect(
        await issuesOf(
          '{"__proto__":{"id":"p"},"project_id":"acme/demo","trace_ref":"hone:///acme/demo/call/c1","feedback_type":"t","payload":{}}',
        ),
      ).toEqual([{ loc: ['body', '__proto__'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }]);
      expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    });

    it('refuses what is too deep, and numbers without a value', async () => {
      const nested = (levels: number) =>
        `{"project_id":"acme/demo","trace_ref":"hone:///acme/demo/call/c1","feedback_type":"t","payload":${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}}`;
      expect((await client.post(PATH, nested(511))).status).toBe(200);
      expect(await issuesOf(nested(513))).toEqual([
        { loc: ['body'], msg: 'JSON should have at most 512 levels', type: 'json_too_deep' },
      ]);
      expect((await issuesOf('['.repeat(100_000)))[0]?.type).toBe('json_too_deep');
      expect(await issuesOf('{"payload":{"list":[1,1e400]}}')).toEqual([
        { loc: ['body', 'payload', 'list', 1], msg: 'Input should be a finite number', type: 'finite_number' },
      ]);
    });

    it('takes a payload of exactly the limit and not one byte more', async () => {
      const limit = 1_048_576;
      const text = 'x'.repeat(limit - '{"t":""}'.length);
      const created = await client.post(PATH, aFeedback({ id: 'largest', payload: { t: text } }));
      expect(created.status).toBe(200);
      const read = await client.post('/feedback/query', {
        project_id: PROJECT,
        fields: ['payload.t'],
        query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'largest' }] } },
      });
      expect(read.json().result).toEqual([{ 'payload.t': text }]);
      const over = await client.post(PATH, aFeedback({ payload: { t: `${text}x` } }));
      expect([over.status, over.json()]).toEqual([
        413,
        { detail: 'payload has 1048577 bytes; the limit is 1048576.', code: 'feedback.payload_too_large' },
      ]);
      const again = await client.post(PATH, aFeedback({ id: 'largest', payload: { t: text } }));
      expect(again.text).toBe(created.text);
    });

    it('refuses a body over the limit, plain and packed', async () => {
      const body = JSON.stringify(aFeedback({ payload: { t: 'x'.repeat(33_554_432) } }));
      const answer = { detail: 'The request body is over the limit of 33554432 bytes.', code: 'limit.body_too_large' };
      const plain = await client.post(PATH, body);
      const packed = gzipSync(body);
      const unpacked = await client.post(PATH, packed, { headers: { 'content-encoding': 'gzip' } });
      expect(packed.length).toBeLessThan(60_000);
      expect([plain.status, plain.json()]).toEqual([413, answer]);
      expect([unpacked.status, unpacked.json()]).toEqual([413, answer]);
    });

    it('reads gzip, and says what is wrong with other encodings', async () => {
      const packed = gzipSync(JSON.stringify(aFeedback()));
      expect((await client.post(PATH, packed, { headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
      const broken = await client.post(PATH, Buffer.from('not gzip'), { headers: { 'content-encoding': 'gzip' } });
      expect([broken.status, broken.json().detail[0].type]).toEqual([422, 'json_invalid']);
      const brotli = await client.post(PATH, packed, { headers: { 'content-encoding': 'br' } });
      expect([brotli.status, brotli.json().code]).toEqual([415, 'request.encoding_unsupported']);
    });

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

    it('answers the stored record to whoever sends the same content', async () => {
      const other = await trace.user('other-writer', { roles: { acme: 'writer' } });
      const first = await client.post(PATH, aFeedback({ id: 'by-wendy' }));
      expect((await trace.as(other).post(PATH, aFeedback({ id: 'by-wendy' }))).text).toBe(first.text);
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

    it('answers malformed requests with a bounded 422 that names the place', async () => {
      const at = (offset: number) => [{ loc: ['body', offset], msg: 'JSON decode error', type: 'json_invalid' }];
      expect(await issuesOf('{"é":}')).toEqual(at(6));
      expect(await issuesOf('{} x')).toEqual(at(3));
      expect(await issuesOf(Buffer.from([0x7b, 0x22, 0xff, 0x22]))).toEqual(at(2));
      expect(await issuesOf('')).toEqual([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
      for (const body of ['[]', 'null', '1', '"x"']) {
        expect(await issuesOf(body)).toEqual([
          { loc: ['body'], msg: 'Input should be a valid object', type: 'dict_type' },
        ]);
      }
      const text = await client.post(PATH, '{}', { headers: { 'content-type': 'text/plain' } });
      expect([text.status, text.json().detail[0]]).toEqual([
        422,
        { loc: ['body'], msg: 'The content type should be application/json', type: 'value_error' },
      ]);
      const many = await issuesOf({ batch: Array.from({ length: 500 }, () => ({})) }, BATCH);
      expect(many).toHaveLength(100);
    });

    it('takes other JSON content types and none, and answers 405 to another method', async () => {
      for (const type of ['application/vnd.api+json', 'application/json; charset=utf-8']) {
        expect(
          (await client.post(PATH, JSON.stringify(aFeedback()), { headers: { 'content-type': type } })).status,
        ).toBe(200);
      }
      const put = await client.put(PATH, {});
      expect([put.status, put.headers['allow'], put.json().code]).toEqual([405, 'POST', 'route.method']);
      const unknown = await client.post('/feedback/unknown', {});
      expect([unknown.status, unknown.json()]).toEqual([
        404,
        { detail: 'There is nothing at this path.', code: 'route.not_found' },
      ]);
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
      expect((await client.post('/call/upsert_batch', { batch: [{ mode: 'start', req: { start } }] })).status).toBe(
        200,
      );
    });

    it('does not repeat a long key in its answer', async () => {
      const response = await client.post(PATH, aFeedback({ ['k'.repeat(1_000_000)]: 1 } as object));
      expect([response.status, response.json().detail[0].loc[1]]).toEqual([422, `${'k'.repeat(200)}…`]);
    });

    it('echoes a request id, or makes one', async () => {
      const echoed = await client.post(PATH, aFeedback(), { headers: { 'x-request-id': 'abc-1' } });
      const made = await client.post(PATH, aFeedback(), { headers: { 'x-request-id': 'with blank' } });
      expect(echoed.headers['x-request-id']).toBe('abc-1');
      expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe(`POST ${BATCH}`, () => {
    it('answers an empty batch', async () => {
      expect((await client.post(BATCH, { batch: [] })).text).toBe('{"res":[]}');
      expect(await issuesOf({}, BATCH)).toEqual([{ loc: ['body', 'batch'], msg: 'Field required', type: 'missing' }]);
    });

    it('points at the wrong item and stores nothing; corrected, it keeps the order', async () => {
      const before = await count();
      const items = [1, 2, 3].map((n) => aFeedback({ id: `order-${4 - n}`, payload: { n } }));
      const wrong = [items[0], { ...items[1], payload: undefined }, items[2]];
      expect(await issuesOf({ batch: wrong }, BATCH)).toEqual([
        { loc: ['body', 'batch', 1, 'payload'], msg: 'Field required', type: 'missing' },
      ]);
      expect(await count()).toBe(before);
      const stored = await client.post(BATCH, { batch: items });
      expect(stored.json().res.map(({ id, payload }: { id: string; payload: object }) => [id, payload])).toEqual([
        ['order-3', { n: 1 }],
        ['order-2', { n: 2 }],
        ['order-1', { n: 3 }],
      ]);
    });

    it('stores nothing when one element is forbidden, taken or too large, and says which', async () => {
      await client.post(PATH, aFeedback({ id: 'taken', payload: { a: 1 } }));
      const before = await count();
      const forbidden = await client.post(BATCH, { batch: [aFeedback(), aFeedback({ project_id: 'elsewhere/x' })] });
      expect([forbidden.status, forbidden.json()]).toEqual([
        403,
        { detail: "batch[1]: You have no access to entity 'elsewhere'.", code: 'access.denied' },
      ]);
      const taken = await client.post(BATCH, { batch: [aFeedback(), aFeedback({ id: 'taken', payload: { a: 2 } })] });
      expect([taken.status, taken.json().detail]).toEqual([
        409,
        "batch[1]: Feedback id 'taken' already exists in 'acme/demo' with other content.",
      ]);
      const large = await client.post(BATCH, {
        batch: [aFeedback({ project_id: 'acme/unmade' }), aFeedback({ payload: { t: 'x'.repeat(1_048_576) } })],
      });
      expect([large.status, large.json().detail]).toEqual([
        413,
        'batch[1]: payload has 1048584 bytes; the limit is 1048576.',
      ]);
      expect(await count()).toBe(before);
      expect(await trace.sql(`SELECT 1 FROM projects WHERE name = 'unmade'`)).toEqual([]);
    });

    it('answers doubles inside a batch like a repetition', async () => {
      const twice = await client.post(BATCH, { batch: [aFeedback({ id: 'twin' }), aFeedback({ id: 'twin' })] });
      const [first, second] = twice.json().res;
      expect(second).toEqual(first);
      const differ = await client.post(BATCH, {
        batch: [aFeedback({ id: 'twin-2' }), aFeedback({ id: 'twin-2', payload: { x: 1 } })],
      });
      expect(differ.status).toBe(409);
      expect(await count(`id = 'twin-2'`)).toBe(0);
    });

    it('does not deadlock on parallel batches with the same ids in opposite order', async () => {
      for (let round = 0; round < 5; round++) {
        const batch = Array.from({ length: 100 }, (_, n) => aFeedback({ id: `lock-${round}-${n}` }));
        const responses = await Promise.all([
          client.post(BATCH, { batch }),
          client.post(BATCH, { batch: [...batch].reverse() }),
        ]);
        expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      }
    });

    it('stores records of several projects in one batch', async () => {
      const response = await client.post(BATCH, {
        batch: [aFeedback({ project_id: 'acme/p1' }), aFeedback({ project_id: 'acme/p2' })],
      });
      expect(response.status).toBe(200);
    });
  });
});
