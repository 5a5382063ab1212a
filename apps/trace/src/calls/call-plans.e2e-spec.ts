import type { CallChartsResultDto } from '@hone/contracts';
import {
  type PlanNode,
  planOf,
  startTestApp,
  type Statement,
  statementsOf,
  type TestApp,
  type TestClient,
  type TestResponse,
} from '@hone/testing';

import { CallHoursRepository } from '../charts/hours/call-hours.repository.js';
import { aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const CALLS = 300_000;
/** Calls of a trace, of which the first is the root. */
const IN_TRACE = 10;
const OPS = 50;
/** Rows that a page, or a look at a few rows, may touch in any node: far fewer than there are. */
const FEW = 1_500;
const MINUTES_MS = 300_000;
const RUNS = 30;
/** Predictions of a run, each with a score. */
const PREDICTIONS = 100;

/** Runs of evaluations amid the calls. */
async function fillRuns(trace: TestApp): Promise<void> {
  const kinds = [
    ['evaluation_run', 'Evaluation.evaluate', 'NULL', `'run' || n / 1000`, `n % 1000 = 0`],
    ['prediction', 'Model.predict', `'run' || n / 1000`, `'p' || n`, `n % 1000 < ${PREDICTIONS}`],
    ['score', 'Scorer.score', `'p' || n`, `'s' || n`, `n % 1000 < ${PREDICTIONS}`],
  ];
  for (const [kind, op, parent, id, condition] of kinds)
    await trace.sql(
      `WITH made AS (
         INSERT INTO calls (project_id, id, svc_user_id, op_name, trace_id, parent_id, started_at, ended_at, is_start_derived, is_end_derived)
         SELECT p.id, ${id}, $1, '${op}', 'run' || n / 1000, ${parent}, at, at, true, true
         FROM projects p, generate_series(0, ${RUNS * 1_000 - 1}) n,
           LATERAL (SELECT '2026-08-01'::timestamptz + n * interval '200 s' AS at) times
         WHERE p.name = 'demo' AND ${condition} RETURNING project_id, id, trace_id)
       INSERT INTO call_values (project_id, id, attributes_text, inputs_text, output_text, summary_text)
       SELECT project_id, id, json_build_object('hone', json_build_object('kind', '${kind}', 'evaluation_run_id', trace_id,
         'evaluation', 'hone:///acme/demo/object/e:v0'))::text, '{}', '1', '{}' FROM made`,
      [trace.writer.id],
    );
}

/** Calls of two years, one every three and a half minutes, ten to a trace, in every partition of that time. */
async function fill(trace: TestApp, client: TestClient): Promise<void> {
  await client.post('/v2/acme/demo/calls/complete', { batch: [aWholeCall('first')] });
  await trace.sql(
    `INSERT INTO calls (project_id, id, svc_user_id, op_name, trace_id, parent_id, thread_id, started_at, ended_at, exception,
       error_class, end_user, prompt_ref, checkpoint_id, input_refs, is_start_derived, is_end_derived)
     SELECT p.id, made.id, $1, 'hone:///acme/demo/op/op' || n % ${OPS} || ':v' || n % 3, 't' || n / ${IN_TRACE},
       CASE WHEN n % ${IN_TRACE} > 0 THEN 'root' || n / ${IN_TRACE} END, 'th' || n % 5000, at, at + interval '1 s',
       CASE WHEN n % 100 = 0 THEN 'x' END, CASE WHEN n % 100 = 0 THEN 'e' || n / 100 % 300 END, 'u' || n % 5000,
       'p@' || n % 7, 'ck' || n % 9, CASE WHEN n % 1000 = 0 THEN ARRAY['acme/demo/object/o:v' || n % 7000] ELSE '{}' END,
       true, true
     FROM projects p, generate_series(1, ${CALLS}) n,
       LATERAL (SELECT '2026-08-01'::timestamptz + n * interval '210 s' AS at) times,
       LATERAL (SELECT CASE WHEN n % ${IN_TRACE} = 0 THEN 'root' || n / ${IN_TRACE}
         ELSE regexp_replace(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), '^(.{8})', '\\1-') || '-7' || n END AS id) made
     WHERE p.name = 'demo'`,
    [trace.writer.id],
  );
  await trace.sql(
    `INSERT INTO call_values (project_id, id, attributes_text, inputs_text, output_text, summary_text)
     SELECT project_id, id, '{}', '{"q":"' || id || '"}', '1', '{}' FROM calls ON CONFLICT DO NOTHING`,
  );
  await fillRuns(trace);
  await trace.sql('VACUUM ANALYZE calls, call_values');
}

describe(`plans of queries over ${CALLS} calls`, () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule, {}, { isOwn: true });
    client = trace.as(trace.writer);
    await fill(trace, client);
  }, MINUTES_MS);
  afterAll(() => trace.close());

  /** The plans of the statements that read calls, of a request that must succeed. */
  const plansOf = (path: string, body: object) =>
    plansOfRequest(() => client.post(path, { project_id: PROJECT, ...body }));
  const plansOfRequest = async (request: () => Promise<TestResponse>): Promise<PlanNode[][]> => {
    const sent = await statementsOf(async () => {
      const { status, text } = await request();
      expect(text.slice(0, 300)).toEqual(expect.stringMatching(/./));
      expect(status).toBe(200);
    });
    const plans: PlanNode[][] = [];
    for (const statement of sent.filter(({ text }: Statement) => /^\s*(SELECT|WITH)[^]*FROM calls/.test(text)))
      plans.push(await planOf(trace.sql, statement));
    expect(plans.length).toBeGreaterThan(0);
    return plans;
  };
  /** Rows that any node gave or dropped; of a node that ran often, per run. */
  const touched = (plan: PlanNode[]) =>
    Math.max(...plan.map((node) => (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)));
  const field = ($getField: string) => ({ $getField });
  const newest = { sort_by: [{ field: 'started_at', direction: 'desc' }] };
  const op = 'hone:///acme/demo/op/op7:v1';

  it.each([
    ['oldest first', {}],
    ['newest first', newest],
    ['newest roots', { ...newest, filter: { trace_roots_only: true } }],
    ['of one op', { filter: { op_names: [op] } }],
    ['of one op, newest first', { ...newest, filter: { op_names: [op] } }],
    ['of a trace', { filter: { trace_ids: ['t77'] } }],
    ['made by a call', { filter: { parent_ids: ['root77'] } }],
    ['of a conversation', { filter: { thread_ids: ['th77'] } }],
    ['by ids', { filter: { call_ids: ['first', 'root7', 'root9', 'none'] } }],
    ['with a ref among the inputs', { filter: { input_refs: ['hone:///acme/demo/object/o:v1000'] } }],
    ['of a user', { ...newest, query: { $expr: { $eq: [field('summary.hone.user'), { $literal: 'u77' }] } } }],
    [
      'of a failure',
      { ...newest, query: { $expr: { $eq: [field('summary.hone.error_class'), { $literal: 'e77' }] } } },
    ],
    ['of a time', { query: { $expr: { $gte: [field('started_at'), { $literal: '2027-06-01T00:00:00Z' }] } } }],
    ['of a trace, by an expression', { query: { $expr: { $eq: [field('trace_id'), { $literal: 't77' }] } } }],
    [
      'of an op that meets a condition on the inputs',
      {
        filter: { op_names: [op] },
        query: { $expr: { $contains: { input: field('inputs.q'), substr: { $literal: '-' } } } },
      },
    ],
  ])('a page of calls, %s, reads few rows', async (_name, body) => {
    for (const columns of [['id', 'op_name', 'summary.hone.status'], []]) {
      const plans = await plansOf('/calls/stream_query', { limit: 50, columns, ...body });
      expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
    }
  });

  it.each([
    ['oldest first', {}],
    ['newest first', newest],
    ['of one op, newest first', { ...newest, filter: { op_names: [op] } }],
    ['of roots', { filter: { trace_roots_only: true } }],
  ])('the page after a cursor, %s, reads few rows', async (_name, body) => {
    const from = { $expr: { $gte: [field('started_at'), { $literal: '2027-06-01T00:00:00Z' }] } };
    const page = { limit: 50, columns: ['id'], query: from, ...body };
    const first = await client.post('/calls/query', { project_id: PROJECT, ...page, cursor: '' });
    const plans = await plansOf('/calls/query', { ...page, cursor: first.json().next_cursor });
    expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
  });

  it.each([
    ['of all', {}],
    ['of roots', { filter: { trace_roots_only: true } }],
    ['of one op', { filter: { op_names: [op] } }],
    ['of a time', { query: { $expr: { $gte: [field('started_at'), { $literal: '2027-06-01T00:00:00Z' }] } } }],
    [
      'that meet a condition on the inputs',
      { query: { $expr: { $contains: { input: field('inputs.q'), substr: { $literal: 'none' } } } } },
    ],
  ])('facets %s read the newest calls alone', async (_name, body) => {
    const fields = ['summary.hone.status', 'op_name', 'svc_user_id', 'summary.usage', 'summary.hone.trace.models'];
    const plans = await plansOf('/calls/facets', { fields, sample: 500, ...body });
    expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
  });

  it.each([
    'evaluation_runs?limit=50',
    'evaluation_runs?limit=50&evaluations=hone:///acme/demo/object/e:v0',
    'evaluation_runs?limit=50&evaluation_run_ids=run3&evaluation_run_ids=run5',
    'evaluation_runs/run3',
    'predictions?limit=50',
    'predictions?limit=50&evaluation_run_id=run7',
    'predictions?limit=100&offset=50&evaluation_run_id=run7',
    'predictions/p7001',
    'scores?limit=50',
    'scores?limit=50&evaluation_run_id=run7',
    'scores/s7001',
  ])('GET %s reads few rows', async (path) => {
    const plans = await plansOfRequest(() => client.get(`/v2/acme/demo/${path}`));
    expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
  });

  it.each([['row_digest'], ['scores.exact']])('runs are compared by %s without reading other calls', async (field) => {
    const body = { evaluation_run_ids: ['run7', 'run8'], sort_by: [{ field, direction: 'asc' }], limit: 20 };
    const plans = await plansOfRequest(() => client.post('/v2/acme/demo/eval_results/query', body));
    expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
  });

  it('a call is read from its own partition', async () => {
    const [plan] = (await plansOf('/call/read', { id: 'root77' })) as [PlanNode[]];
    const read = plan.filter((node) => node['Relation Name'] !== undefined && (node['Actual Rows'] ?? 0) > 0);
    expect(new Set(read.map((node) => node['Relation Name']))).toEqual(
      new Set(['calls_undated', 'call_values_undated']),
    );
    expect(plan.filter(({ 'Relation Name': name }) => name?.startsWith('calls_'))).toHaveLength(1);
  });

  it('values are read for the calls of the page alone, and not where none is asked for', async () => {
    const scans = async (columns: string[]) =>
      (await plansOf('/calls/stream_query', { limit: 50, columns, sort_by: [{ field: 'op_name', direction: 'desc' }] }))
        .flat()
        .filter((node) => node['Relation Name']?.startsWith('call_values'));
    expect(await scans(['id', 'op_name'])).toEqual([]);
    // Of an empty partition Postgres reads the whole.
    const read = (await scans(['inputs'])).filter((node) => (node['Actual Rows'] ?? 0) > 0);
    expect(read.length).toBeGreaterThan(0);
    for (const node of read) expect(node['Node Type']).toMatch(/^Index/);
  });

  it('a call is deleted, with what it made, without reading others', async () => {
    const sent = await statementsOf(async () => {
      const body = { project_id: PROJECT, call_ids: ['root77'] };
      expect((await client.post('/calls/delete', body)).json()).toEqual({ num_deleted: IN_TRACE });
    });
    const [statement] = sent.filter(({ text }) => text.includes('doomed'));
    expect(touched(await planOf(trace.sql, statement as Statement))).toBeLessThan(FEW);
  });

  it.each(['user', 'thread', 'prompt', 'checkpoint', 'error_class'])(
    'a chart by %s reads the calls of its time alone, and no value',
    async (group) => {
      // One every 210 s: 1,234 in three days.
      const time = { start: '2027-06-01T00:00:00Z', end: '2027-06-04T00:00:00Z', granularity: 3_600 };
      const measures = ['calls', 'cost', 'p95_latency_ms'];
      const plans = await plansOf('/calls/charts', { ...time, measures, group_by: [group, 'op'] });
      expect(plans.length).toBeGreaterThan(1);
      expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
      const read = plans.flat().filter((node) => (node['Actual Rows'] ?? 0) > 0);
      expect(read.filter((node) => node['Relation Name']?.startsWith('call_values'))).toEqual([]);
    },
  );

  it('hours are summed up by the calls of these hours', async () => {
    const sent = await statementsOf(() => trace.app.get(CallHoursRepository).sumUpBatch(0));
    const plans: PlanNode[][] = [];
    for (const statement of sent.filter(({ text }) => /INSERT INTO call_sums[^]*FROM/.test(text)))
      plans.push(await planOf(trace.sql, statement));
    expect(plans).toHaveLength(2);
    expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
  });

  it('a chart reads the calls of the hours that have changed, however far they are from each other', async () => {
    await trace.sql('TRUNCATE call_hour_changes, call_sums');
    await trace.sql(
      `INSERT INTO call_hour_changes (project_id, hour) SELECT id, at FROM projects,
         (VALUES ('2026-09-01T07:00:00Z'::timestamptz), ('2027-03-01T07:00:00Z'), ('2028-06-01T07:00:00Z')) AS times (at)
       WHERE name = 'demo'`,
    );
    const time = { start: '2026-08-01T00:00:00Z', end: '2028-08-01T00:00:00Z', granularity: 86_400 };
    const body = { ...time, measures: ['calls', 'cost', 'p95_latency_ms'], group_by: ['op', 'status'] };
    const plans = await plansOf('/calls/charts', body);
    expect(plans.length).toBeGreaterThan(2);
    expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
    // One every 210 s: 17 in each of the three hours.
    const { totals } = (
      await client.post('/calls/charts', { project_id: PROJECT, ...body })
    ).json() as CallChartsResultDto;
    expect(totals['calls']).toBeGreaterThan(50);
    expect(totals['calls']).toBeLessThan(55);
  });
});
