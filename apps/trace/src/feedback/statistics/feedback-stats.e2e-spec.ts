import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

describe('feedback by time', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterEach(() => trace.sql('DELETE FROM feedback'));
  afterAll(() => trace.close());

  /** Stores records, each made at a time. */
  const create = async (...records: [time: string, fields: object][]) => {
    const batch = records.map(([, fields], n) => aFeedback({ id: `f${n}`, ...fields }));
    expect((await client.post('/feedback/batch/create', { batch })).status).toBe(200);
    for (const [n, [time]] of records.entries())
      await trace.sql('UPDATE feedback SET created_at = $1 WHERE id = $2', [time, `f${n}`]);
  };

  describe('POST /feedback/stats', () => {
    const DAY = { start: '2026-01-15T00:00:00Z', end: '2026-01-16T00:00:00Z' };
    const stats = async (fields: object) => {
      const { status, text } = await client.post('/feedback/stats', { project_id: PROJECT, ...DAY, ...fields });
      expect([status, text]).toEqual([200, expect.any(String)]);
      return JSON.parse(text);
    };
    const scores = (...values: unknown[]) =>
      create(
        ...values.map((score, n): [string, object] => [`2026-01-15T0${n}:10:00Z`, { payload: { out: { score } } }]),
      );

    it('computes what metrics ask for, per bucket and over all', async () => {
      await scores(1, 2.5, 4, 'text', true, null);
      const metrics = [
        { json_path: 'out.score', aggregations: ['sum', 'avg', 'min', 'max', 'count'], percentiles: [50, 99.5] },
      ];
      const answer = await stats({ granularity: 10_800, metrics });
      const nothing = { sum: null, avg: null, min: null, max: null, count: 0, p50: null, p99_5: null };
      const keyed = (values: object) =>
        Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}_out_score`, value]));
      expect(answer).toEqual({
        ...{ start: '2026-01-15T00:00:00.000Z', end: '2026-01-16T00:00:00.000Z', granularity: 10_800, timezone: 'UTC' },
        buckets: [
          {
            ...{ timestamp: '2026-01-15T00:00:00.000Z', count: 3 },
            ...keyed({ sum: 7.5, avg: 2.5, min: 1, max: 4, count: 3, p50: 2.5, p99_5: 3.985 }),
          },
          { timestamp: '2026-01-15T03:00:00.000Z', count: 3, ...keyed(nothing) },
        ],
        window_stats: { out_score: { sum: 7.5, avg: 2.5, min: 1, max: 4, count: 3, p50: 2.5, p99_5: 3.985 } },
      });
    });

    it('counts truth values and texts, and answers null for what does not fit', async () => {
      await scores(true, true, false, 'a', 7);
      const boolean = {
        json_path: 'out.score',
        value_type: 'boolean',
        aggregations: ['count_true', 'count_false', 'avg'],
      };
      const window = async (metric: object) => (await stats({ metrics: [metric] })).window_stats.out_score;
      expect(await window(boolean)).toEqual({ count_true: 2, count_false: 1, avg: null });
      expect(await window({ json_path: 'out.score', value_type: 'boolean' })).toEqual({
        count_true: 2,
        count_false: 1,
      });
      expect(await window({ json_path: 'out.score', value_type: 'categorical' })).toEqual({ count: 5 });
      expect(await window({ json_path: 'out.score' })).toEqual({ avg: 7, min: 7, max: 7 });
      expect(await window({ json_path: 'out.score', aggregations: ['count_true'] })).toEqual({ count_true: null });
      const percentiles = { json_path: 'out.score', value_type: 'boolean', aggregations: ['count'], percentiles: [5] };
      expect(await window(percentiles)).toEqual({ count: 3, p5: null });
    });

    it('counts the records that are meant, in the least bucket that fits, from midnight of the time zone', async () => {
      await create(
        ['2026-01-15T22:59:00Z', { feedback_type: 'a', trigger_ref: 'hone:///acme/demo/object/job:v1' }],
        ['2026-01-15T23:01:00Z', { feedback_type: 'a', trigger_ref: 'hone:///acme/demo/object/job:v2' }],
        ['2026-01-16T00:00:00Z', { feedback_type: 'a' }],
        ['2026-01-15T10:00:00Z', { feedback_type: 'b' }],
      );
      const counts = async (fields: object) =>
        (await stats(fields)).buckets.map(({ timestamp, count }: Record<string, unknown>) => [timestamp, count]);
      expect((await stats({})).granularity).toBe(900);
      expect(await counts({ feedback_type: 'a' })).toEqual([
        ['2026-01-15T22:45:00.000Z', 1],
        ['2026-01-15T23:00:00.000Z', 1],
      ]);
      expect(await counts({ trigger_ref: 'x:///acme/demo/object/job:v2' })).toEqual([['2026-01-15T23:00:00.000Z', 1]]);
      expect(await counts({ trigger_ref: 'hone:///acme/demo/object/job:*', granularity: 86_400 })).toEqual([
        ['2026-01-15T00:00:00.000Z', 2],
      ]);
      expect(await counts({ feedback_type: 'a', granularity: 86_400, timezone: 'Europe/Berlin' })).toEqual([
        ['2026-01-14T23:00:00.000Z', 1],
        ['2026-01-15T23:00:00.000Z', 1],
      ]);
      expect(await stats({ project_id: 'acme/nowhere', metrics: [{ json_path: 'a' }] })).toMatchObject({
        ...{ buckets: [], window_stats: { a: { avg: null, min: null, max: null } } },
      });
    });

    it('bears numbers of any size, odd paths and payloads in chunks', async () => {
      await scores(1.7e308, 1.7e308, -1.7e308, 1.7e308);
      await client.post('/feedback/create', aFeedback({ payload: { big: 'x'.repeat(300_000) } }));
      const metrics = [
        { json_path: 'out.score', aggregations: ['sum', 'avg', 'max'], percentiles: [50] },
        { json_path: "'; DROP TABLE feedback; --" },
        { json_path: '__proto__.constructor' },
        { json_path: '.'.repeat(100) },
        { json_path: 'out.score.deeper' },
      ];
      const { window_stats, buckets } = await stats({ metrics });
      // Three times 1.7e308 less one is more than a double holds.
      expect(window_stats.out_score).toEqual({ sum: null, avg: 8.5e307, max: 1.7e308, p50: 1.7e308 });
      expect(Object.keys(buckets[0])).toContain('avg___proto___constructor');
      expect(JSON.stringify(window_stats)).toContain('"__proto___constructor"');
    });

    it('refuses what is wrong, at its place', async () => {
      const metric = { json_path: 'a.b' };
      for (const [fields, loc, type] of [
        [{ end: '2026-01-14T00:00:00Z' }, ['end'], 'value_error'],
        [{ timezone: 'Mars/Base' }, ['timezone'], 'value_error'],
        [{ granularity: 0 }, ['granularity'], 'greater_than_equal'],
        [{ metrics: [metric, { json_path: 'a_b' }] }, ['metrics', 1, 'json_path'], 'value_error'],
        [{ metrics: Array.from({ length: 21 }, (_, n) => ({ json_path: `m${n}` })) }, ['metrics'], 'too_many'],
        [{ metrics: [{ ...metric, aggregations: ['median'] }] }, ['metrics', 0, 'aggregations', 0], 'enum'],
        [{ metrics: [{ ...metric, percentiles: [101] }] }, ['metrics', 0, 'percentiles', 0], 'less_than_equal'],
        [{ metrics: [{ ...metric, value_type: 'text' }] }, ['metrics', 0, 'value_type'], 'enum'],
      ] as const) {
        const { status, json } = await client.post('/feedback/stats', { project_id: PROJECT, ...DAY, ...fields });
        expect([status, json().detail]).toMatchObject([422, [{ loc: ['body', ...loc], type }]]);
      }
    });
  });

  describe('POST /feedback/aggregate', () => {
    const HOUR_MS = Date.parse('2026-01-15T10:00:00Z');
    const RANGE = { after_ms: HOUR_MS, before_ms: HOUR_MS + 7_200_000 };
    const aggregate = async (fields: object = {}) => {
      const { status, text } = await client.post('/feedback/aggregate', { project_id: PROJECT, ...RANGE, ...fields });
      expect([status, text]).toEqual([200, expect.any(String)]);
      return JSON.parse(text);
    };
    const by = (name: string, version: string) => ({ runnable_ref: `hone:///acme/demo/op/${name}:${version}` });
    beforeEach(() =>
      create(
        [
          '2026-01-15T10:00:00Z',
          { ...by('tone', 'v1'), scorer_tags: ['rude', 'rude'], scorer_ratings: { calm: 0.25 } },
        ],
        [
          '2026-01-15T10:30:00Z',
          { ...by('tone', 'v2'), scorer_tags: ['kind'], scorer_ratings: { calm: 1, warm: 0.5 } },
        ],
        ['2026-01-15T11:00:00Z', { feedback_type: 'other', trigger_ref: 'hone:///acme/demo/object/watch:v3' }],
        ['2026-01-15T12:00:00Z', { scorer_tags: ['late'] }],
        ['2026-01-15T09:59:59Z', { scorer_tags: ['early'] }],
      ),
    );

    const FIRST = {
      ...{ total_count: 2, scored_count: 2, tag_counts: { rude: 1, kind: 1 } },
      ...{ rating_sums: { calm: 1.25, warm: 0.5 }, rating_counts: { calm: 2, warm: 1 } },
    };
    const EMPTY = { total_count: 1, scored_count: 0, tag_counts: {}, rating_sums: {}, rating_counts: {} };

    it('counts tags and ratings by time', async () => {
      expect(await aggregate({ time_bucket_seconds: 3_600 })).toEqual({
        ...{ ...RANGE, time_bucket_seconds: 3_600 },
        buckets: [
          { time_bucket_start_ms: HOUR_MS, group: {}, ...FIRST },
          { time_bucket_start_ms: HOUR_MS + 3_600_000, group: {}, ...EMPTY },
        ],
      });
      const whole = await aggregate();
      expect([whole.time_bucket_seconds, whole.buckets]).toEqual([
        null,
        [{ time_bucket_start_ms: null, group: {}, ...FIRST, total_count: 3 }],
      ]);
      expect((await aggregate({ time_bucket_seconds: 1, after_ms: 0 })).time_bucket_seconds).toBeGreaterThan(100_000);
    });

    it('counts scorers apart', async () => {
      const { buckets } = await aggregate({ group_by: ['scorer_id'] });
      expect(
        buckets.map(({ group, total_count, tag_counts }: Record<string, unknown>) => [group, total_count, tag_counts]),
      ).toEqual([
        [{ scorer_id: '' }, 1, {}],
        [{ scorer_id: 'tone:v1' }, 1, { rude: 1 }],
        [{ scorer_id: 'tone:v2' }, 1, { kind: 1 }],
      ]);
    });

    it.each([
      [{ scorer_ids: ['tone:v1'] }, 1],
      [{ scorer_ids: ['tone:*', 'tone:v1'] }, 2],
      [{ scorer_ids: ['ton'] }, 0],
      [{ scorer_ids: ['%'] }, 0],
      [{ monitor_ids: ['watch:v3'] }, 1],
      [{ monitor_ids: ['watch:*'], scorer_ids: ['tone:*'] }, 0],
      [{ feedback_types: ['oth'] }, 1],
      [{ feedback_types: ['oth', 't'] }, 3],
      [{ tags: ['kind', 'none'] }, 1],
      [{ rating_min: 0.9 }, 1],
      [{ rating_max: 0.3 }, 1],
      [{ rating_min: 0.3, rating_max: 0.6 }, 1],
      [{ rating_min: 0.6, rating_max: 0.9 }, 0],
      [{ project_id: 'acme/nowhere' }, 0],
    ])('counts those that %j means', async (fields, total) => {
      const { buckets } = await aggregate(fields);
      expect(buckets.map((bucket: Record<string, unknown>) => bucket['total_count'])).toEqual(
        total === 0 ? [] : [total],
      );
    });

    it('refuses an end before the start', async () => {
      const body = { project_id: PROJECT, after_ms: 2, before_ms: 1 };
      const { status, json } = await client.post('/feedback/aggregate', body);
      expect([status, json().detail]).toMatchObject([422, [{ loc: ['body', 'before_ms'], type: 'value_error' }]]);
    });
  });
});
