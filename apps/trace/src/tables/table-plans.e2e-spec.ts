import { planOf, startTestApp, type Statement, statementsOf, type TestApp, type TestClient } from '@hone/testing';

import { PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';
import { CHUNK_ROWS } from './row-list.js';

const ROWS = 300_000;
/** Most rows that any node of a page's plan may touch: a page lies in two chunks at most. */
const FEW = 2 * CHUNK_ROWS + 500;

describe(`plans of queries over a table of ${ROWS} rows`, () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule, {}, { isOwn: true });
    client = trace.as(trace.writer);
    await client.post('/table/create', { table: { project_id: PROJECT, rows: [{ first: true }] } });
    const [{ id } = { id: '' }] = await trace.sql<{ id: string }>(`SELECT id FROM projects WHERE name = 'demo'`);
    await trace.sql(
      `INSERT INTO table_rows (project_id, digest, val_text, size_bytes)
       SELECT $1, 'r' || n, '{"n":' || n || '}', 10 FROM generate_series(0, ${ROWS - 1}) n`,
      [id],
    );
    // Another table beside it: what is read of the wrong one shows.
    await trace.sql(
      `INSERT INTO table_chunks SELECT $1, t, n / ${CHUNK_ROWS}, array_agg('r' || n ORDER BY n)
       FROM generate_series(0, ${ROWS - 1}) n, unnest(ARRAY['large', 'other']) t GROUP BY t, n / ${CHUNK_ROWS}`,
      [id],
    );
    await trace.sql(`INSERT INTO table_versions SELECT $1, t, ${ROWS}, now() FROM unnest(ARRAY['large', 'other']) t`, [
      id,
    ]);
    await trace.sql('VACUUM ANALYZE table_rows, table_chunks, table_versions');
  }, 120_000);
  afterAll(() => trace.close());

  it.each([
    ['the first page', { limit: 100 }, 0],
    ['a page from the middle', { limit: 100, offset: 150_950 }, 150_950],
    ['the last page', { limit: 100, offset: 299_950 }, 299_950],
  ])('%s reads few rows', async (_name, page, first) => {
    let rows: { val: { n: number } }[] = [];
    const sent = await statementsOf(async () => {
      rows = (await client.post('/table/query', { project_id: PROJECT, digest: 'large', ...page })).json().rows;
    });
    expect(rows.map(({ val }) => val.n)).toEqual(
      Array.from({ length: Math.min(100, ROWS - first) }, (_, index) => first + index),
    );
    const reads = sent.filter(({ text }: Statement) => text.includes('FROM table_chunks'));
    expect(reads).toHaveLength(1);
    const plan = await planOf(trace.sql, reads[0] as Statement);
    // Postgres counts the rows of a loop on the average.
    const touched = plan.map((node) => (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0));
    expect(Math.max(...touched)).toBeLessThanOrEqual(FEW);
  });
});
