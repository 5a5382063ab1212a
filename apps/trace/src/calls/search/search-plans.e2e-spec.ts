import { projectTerm, toCallDocument } from '@hone/calls';
import {
  type PlanNode,
  planOf,
  startTestApp,
  type Statement,
  statementsOf,
  type TestApp,
  type TestClient,
} from '@hone/testing';

import { aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const CALLS = 100_000;
/** Rows that any node of a plan may touch: a sample of the newest calls, far fewer than there are. */
const FEW = 3_000;
const MINUTES_MS = 300_000;

const termOf = (word: string): number =>
  toCallDocument({ inputs: JSON.stringify(word), output: null }).inputs[0] as number;

describe(`plans of searches in ${CALLS} calls`, () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule, {}, { isOwn: true });
    client = trace.as(trace.writer);
    await client.post('/v2/acme/demo/calls/complete', { batch: [aWholeCall('first')] });
    const [project] = await trace.sql<{ id: string }>(`SELECT id FROM projects WHERE name = 'demo'`);
    const id = project?.id as string;
    await trace.sql(
      `INSERT INTO calls (project_id, id, svc_user_id, op_name, trace_id, started_at, ended_at)
       SELECT $1, 'c' || n, $1, 'hone:///acme/demo/op/o:v1', 'c' || n, at, at
       FROM generate_series(1, ${CALLS}) n, LATERAL (SELECT '2026-08-01'::timestamptz + n * interval '60 s' AS at) times`,
      [id],
    );
    // Each call has 60 words of its own beside those that are searched for.
    await trace.sql(
      `INSERT INTO call_search SELECT $1, 'c' || n,
         ARRAY[${projectTerm(id)}, 0, ${termOf('common')}]
           || CASE WHEN n % 20000 = 7 THEN ARRAY[${termOf('rare')}] ELSE '{}'::integer[] END
           || CASE WHEN n < 2000 THEN ARRAY[${termOf('old')}] ELSE '{}'::integer[] END,
         ARRAY(SELECT n * 64 + word FROM generate_series(1, 60) word)
       FROM generate_series(1, ${CALLS}) n`,
      [id],
    );
    await trace.sql('TRUNCATE call_search_queue');
    await trace.sql('VACUUM ANALYZE calls, call_search');
  }, MINUTES_MS);
  afterAll(() => trace.close());

  const newest = { sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 50, columns: ['id'] };
  const touched = (plan: PlanNode[]) =>
    Math.max(...plan.map((node) => (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)));

  it.each([
    ['a word that all calls have', 'common', 50],
    ['a word that five calls have', 'rare', 5],
    ['a word that only old calls have', 'old', 50],
    ['a word that no call has', 'none', 0],
    ['a common and a rare word', 'common rare', 5],
    ['words that no call has together', 'old rare none', 0],
  ])('%s reads few rows', async (_name, words, found) => {
    const query = { $expr: { $search: { words: { $literal: words } } } };
    const sent = await statementsOf(async () => {
      const { json } = await client.post('/calls/query', { project_id: PROJECT, ...newest, query });
      expect(json().calls).toHaveLength(found);
    });
    const statements = sent.filter(({ text }: Statement) => /FROM calls c|FROM call_search s/.test(text));
    expect(statements.length).toBeGreaterThan(1);
    for (const statement of statements) expect(touched(await planOf(trace.sql, statement))).toBeLessThan(FEW);
  });

  it('a rare word is read from its index', async () => {
    const query = { $expr: { $search: { words: { $literal: 'rare' } } } };
    const sent = await statementsOf(async () => {
      await client.post('/calls/query', { project_id: PROJECT, ...newest, query });
    });
    const [probe] = sent.filter(({ text }: Statement) => /SELECT s.id FROM call_search/.test(text));
    const plan = await planOf(trace.sql, probe as Statement);
    expect(plan.map((node) => node['Index Name'] ?? '').join()).toMatch(/call_search_undated_expr_idx/);
  });
});
