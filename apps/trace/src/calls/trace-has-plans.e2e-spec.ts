import {
  type PlanNode,
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
const IN_TRACE = 10;
/** Calls of a day: one every 200 seconds. */
const OF_DAY = 432;
const MINUTES_MS = 300_000;
const DAY = ['2026-09-10T00:00:00Z', '2026-09-11T00:00:00Z'] as const;

/** Traces of ten calls, the first of which is the root and begins first; the third is of a tool in every second trace. */
async function fill(trace: TestApp, client: TestClient): Promise<void> {
  await client.post('/v2/acme/demo/calls/complete', { batch: [aWholeCall('first')] });
  await trace.sql(
    `INSERT INTO calls (project_id, id, svc_user_id, op_name, trace_id, parent_id, started_at, ended_at)
     SELECT p.id, made.id, $1, CASE WHEN n % 20 = 3 THEN 'tool' ELSE 'op' || n % 10 END, 't' || n / ${IN_TRACE},
       CASE WHEN n % ${IN_TRACE} > 0 THEN 'root' || n / ${IN_TRACE} END, at, at
     FROM projects p, generate_series(0, ${CALLS - 1}) n,
       LATERAL (SELECT '2026-08-01'::timestamptz + n * interval '200 s' AS at) times,
       LATERAL (SELECT CASE WHEN n % ${IN_TRACE} = 0 THEN 'root' || n / ${IN_TRACE}
         ELSE regexp_replace(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), '^(.{8})', '\\1-') || '-7' || n END AS id) made
     WHERE p.name = 'demo'`,
    [trace.writer.id],
  );
  await trace.sql(
    `INSERT INTO call_values (project_id, id, attributes_text, inputs_text, output_text, summary_text)
     SELECT project_id, id, '{}', '{}', json_build_object('n', id)::text, '{}' FROM calls ON CONFLICT DO NOTHING`,
  );
  await trace.sql('VACUUM ANALYZE calls, call_values');
}

describe(`plans of $traceHas over ${CALLS} calls`, () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule, {}, { isOwn: true });
    client = trace.as(trace.writer);
    await fill(trace, client);
  }, MINUTES_MS);
  afterAll(() => trace.close());

  const field = (name: string) => ({ $getField: name });
  const [from, to] = DAY.map(($literal) => ({ $literal }));
  const ofDay = [{ $gte: [field('started_at'), from] }, { $lt: [field('started_at'), to] }];
  const isTool = { $eq: [field('op_name'), { $literal: 'tool' }] };
  const saysSeven = { $contains: { input: field('output'), substr: { $literal: '7' } } };

  async function plansOf(path: string, body: object): Promise<PlanNode[][]> {
    const sent = await statementsOf(async () => {
      const { status, text } = await client.post(path, { project_id: PROJECT, ...body });
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    });
    const plans: PlanNode[][] = [];
    for (const statement of sent.filter(({ text }: Statement) => /EXISTS \(\s*SELECT FROM \(/.test(text)))
      plans.push(await planOf(trace.sql, statement));
    expect(plans.length).toBeGreaterThan(0);
    return plans;
  }

  it.each([
    ['/calls/query', { limit: 50, sort_by: [{ field: 'started_at', direction: 'desc' }], columns: ['id'] }],
    ['/calls/query_stats', {}],
    ['/calls/facets', { fields: ['op_name'] }],
    ['/calls/stats', { start: DAY[0], end: DAY[1] }],
    ['/calls/charts', { start: DAY[0], end: DAY[1], measures: ['calls'] }],
  ])('%s reads the traces of its time alone, by their index', async (path, more) => {
    const filter = { trace_roots_only: true };
    for (const condition of [isTool, { $and: [isTool, saysSeven] }]) {
      const query = { $expr: { $and: [...ofDay, { $traceHas: condition }] } };
      for (const plan of await plansOf(path, { filter, query, ...more })) {
        // The day itself, the calls of its traces, and their values: of 60,000.
        expect(rowsRead(plan)).toBeLessThan(4 * OF_DAY);
        expect(rowsRead(plan)).toBeGreaterThan(OF_DAY / IN_TRACE);
        expect(plan.map((node) => node['Index Name'] ?? '').join()).toMatch(/trace_id/);
        for (const node of plan.filter(({ 'Relation Name': name }) => name?.startsWith('call')))
          if ((node['Actual Rows'] ?? 0) > 0) expect(node['Node Type']).toMatch(/Index|Bitmap/);
      }
    }
  });

  it('the newest page of many that match reads few traces', async () => {
    const newest = { limit: 20, sort_by: [{ field: 'started_at', direction: 'desc' }], columns: ['id'] };
    const query = { $expr: { $traceHas: isTool } };
    const [plan = []] = await plansOf('/calls/query', { filter: { trace_roots_only: true }, query, ...newest });
    expect(rowsRead(plan)).toBeLessThan(1_000);
  });
});
