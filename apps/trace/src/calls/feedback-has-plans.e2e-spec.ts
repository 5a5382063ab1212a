import {
  planOf,
  rowsRead,
  startTestApp,
  type Statement,
  statementsOf,
  type TestApp,
  type TestClient,
} from '@hone/testing';

import { aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const CALLS = 60_000;
/** Of these every second has a thumb up, and few of the oldest have one down. */
const DOWN = 20;
const MINUTES_MS = 300_000;
const READS = /FROM (feedback f|calls c)/;

async function fill(trace: TestApp, client: TestClient): Promise<void> {
  await client.post('/v2/acme/demo/calls/complete', { batch: [aWholeCall('first')] });
  await trace.sql(
    `INSERT INTO calls (project_id, id, svc_user_id, op_name, trace_id, started_at, ended_at)
     SELECT p.id, 'c' || n, $1, 'op', 't' || n, at, at FROM projects p, generate_series(0, ${CALLS - 1}) n,
       LATERAL (SELECT '2026-08-01'::timestamptz + n * interval '200 s' AS at) times
     WHERE p.name = 'demo'`,
    [trace.writer.id],
  );
  await trace.sql(
    `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, payload_text, payload_json,
       scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
     SELECT p.id, 'f' || n, now(), $1, 'hone.reaction.1', '${PROJECT}/call/c' || n, body::text, body, '{}', '{}', '{}', '{}', '{}', '{}'
     FROM projects p, generate_series(0, ${CALLS - 1}, 2) n,
       LATERAL (SELECT jsonb_build_object('detoned', CASE WHEN n < 2 * ${DOWN} THEN '👎' ELSE '👍' END) AS body) bodies
     WHERE p.name = 'demo'`,
    [trace.writer.id],
  );
  await trace.sql('VACUUM ANALYZE calls, feedback');
}

describe(`plans of $feedbackHas over ${CALLS} calls`, () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule, {}, { isOwn: true });
    client = trace.as(trace.writer);
    await fill(trace, client);
  }, MINUTES_MS);
  afterAll(() => trace.close());

  const thumb = ($literal: string) => ({ $eq: [{ $getField: 'payload.detoned' }, { $literal }] });
  const newest = { limit: 50, sort_by: [{ field: 'started_at', direction: 'desc' }], columns: ['id'] };

  const workOf = ($expr: object, found: number, filter: object = {}) =>
    workIn(async () => {
      const { json } = await client.post('/calls/query', { project_id: PROJECT, ...newest, filter, query: { $expr } });
      expect(json().calls).toHaveLength(found);
    });

  async function workIn(ask: () => Promise<void>): Promise<number> {
    let sum = 0;
    for (const statement of (await statementsOf(ask)).filter(({ text }: Statement) => READS.test(text)))
      sum += rowsRead(await planOf(trace.sql, statement));
    return sum;
  }

  it('the newest of many are found call by call', async () => {
    expect(await workOf({ $feedbackHas: thumb('👍') }, 50)).toBeLessThan(3_000);
    expect(await workOf({ $not: { $feedbackHas: { $and: [] } } }, 50)).toBeLessThan(3_000);
  });

  it('few of the oldest are found in the time that it takes to read the feedback once', async () => {
    const few = { $feedbackHas: thumb('👎') };
    expect(await workOf(few, DOWN)).toBeLessThan(CALLS);
    expect(await workOf({ $or: [few, { $eq: [{ $getField: 'id' }, { $literal: 'c1' }] }] }, DOWN + 1)).toBeLessThan(
      3 * CALLS,
    );
  });

  it('facets read a sample of the newest where many have it, and else those that do, looking at the feedback once', async () => {
    const ask = (emoji: string, answer: object) => async () => {
      const body = {
        project_id: PROJECT,
        fields: ['op_name'],
        sample: 1_000,
        query: { $expr: { $feedbackHas: thumb(emoji) } },
      };
      expect((await client.post('/calls/facets', body)).json()).toMatchObject(answer);
    };
    expect(await workIn(ask('👍', { scanned: 1_000, has_more: true, count: 500 }))).toBeLessThan(8_000);
    expect(await workIn(ask('👎', { scanned: DOWN, has_more: false, count: DOWN }))).toBeLessThan(CALLS);
  });

  it('their traces are found as fast', async () => {
    const roots = { trace_roots_only: true };
    const few = { $feedbackHas: thumb('👎') };
    expect(await workOf({ $traceHas: few }, DOWN, roots)).toBeLessThan(CALLS);
    const isOp = { $eq: [{ $getField: 'op_name' }, { $literal: 'op' }] };
    expect(await workOf({ $traceHas: { $and: [isOp, few] } }, DOWN, roots)).toBeLessThan(CALLS);
    expect(await workOf({ $traceHas: { $and: [few, { $feedbackHas: thumb('👍') }] } }, 0, roots)).toBeLessThan(CALLS);
  });
});
