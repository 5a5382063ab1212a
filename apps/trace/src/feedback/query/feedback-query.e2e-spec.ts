import { startTestApp, statementsOf, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const field = ($getField: string) => ({ $getField });
const literal = ($literal: unknown) => ({ $literal });

describe('POST /feedback/query', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    const records = [
      {
        id: 'a',
        feedback_type: 'quality',
        payload: { score: 1, tag: 'Good', deep: { list: [10, { x: 'y' }] }, 'dotted.key': 1 },
        scorer_ratings: { overall: 0.9 },
      },
      {
        id: 'b',
        feedback_type: 'quality',
        payload: { score: 20, tag: 'bad', none: null },
        scorer_tags: ['x', 'y'],
        trace_ref: 'other:///acme/demo/object/o:v0',
      },
      { id: 'c', feedback_type: 'note', payload: { score: '3', ok: true }, creator: 'ada' },
      { id: 'd', feedback_type: 'note', payload: { score: 'high', ok: false } },
    ];
    for (const record of records) expect((await client.post('/feedback/create', aFeedback(record))).status).toBe(200);
  });
  afterAll(() => trace.close());

  const ids = async ($expr: unknown): Promise<string> => {
    const response = await client.post('/feedback/query', { project_id: PROJECT, fields: ['id'], query: { $expr } });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return response
      .json()
      .result.map(({ id }: { id: string }) => id)
      .join('');
  };
  const issueOf = async ($expr: unknown) => {
    const response = await client.post('/feedback/query', { project_id: PROJECT, query: { $expr } });
    expect(response.status).toBe(422);
    return response.json().detail[0] as { loc: unknown[]; msg: string; type: string };
  };

  it('compares texts, numbers, truth values, times and refs', async () => {
    expect(await ids({ $eq: [field('feedback_type'), literal('note')] })).toBe('cd');
    expect(await ids({ $gt: [field('payload.score'), literal(2)] })).toBe('bc');
    expect(await ids({ $lte: [field('payload.score'), literal(3.0)] })).toBe('ac');
    expect(await ids({ $lt: [field('payload.score'), literal('3')] })).toBe('ab');
    expect(await ids({ $eq: [field('payload.ok'), literal(true)] })).toBe('c');
    expect(await ids({ $gt: [field('created_at'), literal('2020-01-01T00:00:00Z')] })).toBe('abcd');
    expect(await ids({ $eq: [field('trace_ref'), literal('hone:///acme/demo/object/o:v0')] })).toBe('b');
    expect(await ids({ $eq: [field('trace_ref'), literal('acme/demo/object/o:v0')] })).toBe('b');
    expect(await ids({ $gte: [field('scorer_ratings.overall'), literal(0.9)] })).toBe('a');
    expect(await ids({ $gte: [field('payload.deep'), literal(0)] })).toBe('');
    expect(await ids({ $lt: [literal(1), field('payload')] })).toBe('');
  });

  it('joins, negates and lists with three-valued logic', async () => {
    const isNote = { $eq: [field('feedback_type'), literal('note')] };
    expect(await ids({ $and: [isNote, { $eq: [field('payload.ok'), literal(false)] }] })).toBe('d');
    expect(await ids({ $or: [isNote, { $eq: [field('id'), literal('a')] }] })).toBe('acd');
    expect(await ids({ $not: [isNote] })).toBe('ab');
    expect(await ids({ $not: [{ $eq: [field('creator'), literal('bob')] }] })).toBe('c');
    expect(await ids({ $eq: [field('creator'), literal(null)] })).toBe('');
    expect(await ids({ $in: [field('id'), [literal('a'), literal('d'), literal('z')]] })).toBe('ad');
    expect(await ids({ $in: [field('id'), []] })).toBe('');
    expect(await ids({ $and: [] })).toBe('abcd');
  });

  it('looks into texts and lists, and converts', async () => {
    expect(
      await ids({ $contains: { input: field('payload.tag'), substr: literal('GOO'), case_insensitive: true } }),
    ).toBe('a');
    expect(await ids({ $contains: { input: field('payload.tag'), substr: literal('GOO') } })).toBe('');
    for (const [input, substr] of [
      ['Über', 'ÜBER'],
      ['МОСКВА', 'москва'],
      ['ΟΔΟΣ', 'οδος'],
      ['Straße', 'STRASSE'],
      ['STRAẞE', 'straße'],
    ]) {
      const contains = { input: literal(input), substr: literal(substr), case_insensitive: true };
      expect([substr, await ids({ $contains: contains })]).toEqual([substr, 'abcd']);
    }
    expect(await ids({ $eq: [{ $size: field('scorer_tags') }, literal(2)] })).toBe('b');
    expect(await ids({ $eq: [{ $size: field('payload.deep.list') }, literal(2)] })).toBe('a');
    expect(await ids({ $eq: [field('payload.deep.list.1.x'), literal('y')] })).toBe('a');
    expect(await ids({ $eq: [field('payload.dotted\\.key'), literal(1)] })).toBe('a');
    expect(await ids({ $convert: { input: field('payload.none'), to: 'exists' } })).toBe('b');
    expect(await ids({ $eq: [{ $convert: { input: field('payload.score'), to: 'string' } }, literal('20')] })).toBe(
      'b',
    );
    expect(await ids({ $eq: [{ $convert: { input: field('payload.score'), to: 'int' } }, literal(3)] })).toBe('c');
    expect(await ids({ $convert: { input: field('payload.ok'), to: 'bool' } })).toBe('c');
  });

  it('takes literals that look like SQL, and numbers of any size', async () => {
    expect(await ids({ $eq: [field('id'), literal("' OR 1=1 --")] })).toBe('');
    expect(await ids({ $eq: [field(`payload.a'b"c`), literal('x')] })).toBe('');
    for (const number of ['1e308', '1e-300', '123456789012345678901234567890']) {
      const body = `{"project_id":"acme/demo","query":{"$expr":{"$lt":[{"$getField":"payload.score"},{"$literal":${number}}]}}}`;
      expect((await client.post('/feedback/query', body)).status).toBe(200);
    }
  });

  it('sorts, pages and counts', async () => {
    const query = async (body: object) => {
      const { result, total_count } = (
        await client.post('/feedback/query', { project_id: PROJECT, fields: ['id'], ...body })
      ).json();
      return `${result.map(({ id }: { id: string }) => id).join('')} ${total_count}`;
    };
    expect(await query({ sort_by: [{ field: 'created_at', direction: 'desc' }] })).toBe('dcba 4');
    expect(await query({ sort_by: [{ field: 'payload.tag', direction: 'asc' }] })).toBe('abcd 4');
    expect(await query({ sort_by: [{ field: 'payload.tag', direction: 'desc' }] })).toBe('bacd 4');
    expect(await query({ sort_by: [{ field: 'creator', direction: 'desc' }] })).toBe('cabd 4');
    expect(await query({ limit: 2, offset: 1, include_total_count: true })).toBe('bc 4');
    expect(await query({ limit: 0 })).toBe(' 4');
  });

  it('counts records only when it is asked to, or when the page shows their number', async () => {
    for (const [body, total, counts] of [
      [{}, 4, 0],
      [{ limit: 5 }, 4, 0],
      [{ limit: 4 }, null, 0],
      [{ limit: 3, offset: 2 }, 4, 0],
      [{ limit: 2, offset: 2 }, null, 0],
      [{ offset: 9 }, null, 0],
      [{ limit: 4, include_total_count: false }, null, 0],
      [{ limit: 4, include_total_count: true }, 4, 1],
      [{ offset: 9, include_total_count: true }, 4, 1],
      [{ limit: 0 }, 4, 1],
    ] as const) {
      const sent = await statementsOf(async () => {
        const { status, json } = await client.post('/feedback/query', { project_id: PROJECT, ...body });
        expect([body, status, json().total_count]).toEqual([body, 200, total]);
      });
      expect([body, sent.filter(({ text }) => text.includes('count(*)')).length]).toEqual([body, counts]);
    }
  });

  it('answers named fields flat', async () => {
    const response = await client.post('/feedback/query', {
      project_id: PROJECT,
      fields: ['payload.deep.list.0', 'payload.missing', 'scorer_ratings.overall', 'trace_ref', 'payload.dotted\\.key'],
      limit: 1,
    });
    expect(response.json().result).toEqual([
      {
        'payload.deep.list.0': 10,
        'payload.missing': null,
        'scorer_ratings.overall': 0.9,
        trace_ref: 'hone:///acme/demo/call/c1',
        'payload.dotted\\.key': 1,
      },
    ]);
  });

  it('names the path of a bad expression', async () => {
    const at = (...loc: unknown[]) => ['body', 'query', '$expr', ...loc];
    expect(await issueOf({ $eq: [field('nope'), literal(1)] })).toMatchObject({
      loc: at('$eq', 0, '$getField'),
      type: 'value_error',
    });
    expect(await issueOf({ $eq: [field('id.x'), literal(1)] })).toMatchObject({ loc: at('$eq', 0, '$getField') });
    expect(await issueOf({ $eq: [field('id')] })).toMatchObject({ loc: at('$eq') });
    expect(await issueOf({ $like: [] })).toMatchObject({ loc: at() });
    expect(await issueOf({ $and: [], $or: [] })).toMatchObject({ loc: at() });
    expect(await issueOf({ $and: [5] })).toMatchObject({ loc: at('$and', 0), type: 'dict_type' });
    expect(await issueOf({ $convert: { input: field('id'), to: 'date' } })).toMatchObject({
      loc: at('$convert', 'to'),
      type: 'enum',
    });
    expect(await issueOf({ $contains: { input: field('id') } })).toMatchObject({
      loc: at('$contains', 'substr'),
      type: 'missing',
    });
    expect(await issueOf({ $eq: [field('created_at'), literal('yesterday')] })).toMatchObject({
      loc: at('$eq'),
      type: 'value_error',
    });
    expect(await issueOf({ $eq: [field('id'), literal('\0')] })).toMatchObject({
      loc: at('$eq', 1, '$literal'),
      type: 'string_unicode',
    });
    const sort = await client.post('/feedback/query', {
      project_id: PROJECT,
      fields: ['x'],
      sort_by: [{ field: 'y', direction: 'asc' }],
    });
    expect(sort.json().detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
      ['body', 'fields', 0],
      ['body', 'sort_by', 0, 'field'],
    ]);
  });

  it('limits levels, nodes and values', async () => {
    const nested = (levels: number): unknown => (levels === 0 ? literal(true) : { $not: nested(levels - 1) });
    expect((await issueOf(nested(32))).msg).toBe('A query should have at most 32 levels');
    expect((await client.post('/feedback/query', { project_id: PROJECT, query: { $expr: nested(31) } })).status).toBe(
      200,
    );
    expect((await issueOf({ $and: Array(1_000).fill(literal(true)) })).msg).toBe(
      'A query should have at most 1000 nodes',
    );
    const values = (n: number) => ({ $in: [field('id'), Array(n).fill(literal('a'))] });
    expect(await issueOf(values(1_001))).toMatchObject({ type: 'too_many' });
    expect(await ids(values(1_000))).toBe('a');
  });
});
