import {
  type PlanNode,
  planOf,
  startTestApp,
  type Statement,
  statementsOf,
  type TestApp,
  type TestClient,
} from '@hone/testing';

import { aFeedback, anObject, aTyped, PROJECT } from './testing/bodies.fixture.js';
import { TraceModule } from './trace.module.js';

const VERSIONS = 3_000;
const OBJECTS = 1_000;
const RECORDS = 20_000;
const ITEMS = 3_000;
/** Rows that a page, or a look at a few rows, may touch in all nodes together: far fewer than there are. */
const FEW = 900;

/** The database that the others read: a deep object, many flat ones, feedback and a queue. */
async function fill(trace: TestApp, client: TestClient): Promise<string> {
  await client.post('/feedback/create', aFeedback({ id: 'first' }));
  await client.post('/obj/create', anObject('deep', aTyped('Dataset')));
  const queue = (await client.post('/annotation_queues', { project_id: PROJECT, name: 'q' })).json().id as string;
  const [{ id } = { id: '' }] = await trace.sql<{ id: string }>(`SELECT id FROM projects WHERE name = 'demo'`);
  // Flat objects are the newer ones: a walk from the oldest version on meets the whole history of the deep one first.
  const object = (name: string, version: string, offset: number) => `
    INSERT INTO object_versions (project_id, object_id, digest, version_index, created_at, kind, base_object_class,
      svc_user_id, val_text, size_bytes)
    SELECT $1, ${name}, 'd' || n, ${version}, '2026-01-01'::timestamptz + (${offset} + n) * interval '1 ms', 'object', 'Dataset', $2, '1', 1`;
  await trace.sql(`${object(`'deep'`, 'n', 0)} FROM generate_series(1, ${VERSIONS}) n`, [id, trace.writer.id]);
  await trace.sql(
    `${object(`'flat-' || n`, 'v', VERSIONS)} FROM generate_series(1, ${OBJECTS}) n, generate_series(0, 0) v`,
    [id, trace.writer.id],
  );
  await trace.sql(
    `INSERT INTO object_heads (project_id, object_id, next_version_index, latest_digest, latest_created_at, latest_version_index)
     SELECT project_id, object_id, 1, digest, created_at, version_index FROM object_versions
     WHERE object_id LIKE 'flat-%'`,
  );
  await trace.sql(`UPDATE object_heads SET next_version_index = ${VERSIONS + 1} WHERE object_id = 'deep'`);
  await trace.sql(
    `INSERT INTO object_aliases SELECT project_id, object_id, 'chosen', digest, created_at, svc_user_id
     FROM object_versions WHERE object_id IN ('flat-7', 'flat-8') OR (object_id = 'deep' AND digest = 'd9')`,
  );
  await trace.sql(
    `INSERT INTO feedback SELECT project_id, 'f' || n, '2026-01-01'::timestamptz + n * interval '1 ms', svc_user_id, creator,
       't' || n, trace_ref, annotation_ref, runnable_ref, call_ref, trigger_ref, queue_id, payload_text, payload_blob,
       jsonb_build_object('score', n), scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings,
       scorer_rating_reasons, scorer_rating_confidences
     FROM feedback, generate_series(1, ${RECORDS}) n`,
  );
  await trace.sql(
    `INSERT INTO annotation_queue_items (project_id, queue_id, id, call_id, call_started_at, call_op_name, call_trace_id,
       display_fields, created_at, created_by, updated_at)
     SELECT $1, $2, 'i' || n, 'c' || n, now(), 'op', 't', '{}', '2026-01-01'::timestamptz + n * interval '1 ms', $3, now()
     FROM generate_series(1, ${ITEMS}) n`,
    [id, queue, trace.writer.id],
  );
  await trace.sql('VACUUM ANALYZE');
  return queue;
}

describe('plans of queries over many rows', () => {
  let trace: TestApp;
  let client: TestClient;
  let queue: string;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule, {}, { isOwn: true });
    client = trace.as(trace.writer);
    queue = await fill(trace, client);
  });
  afterAll(() => trace.close());

  /** The plans of the statements that read the table, and what the request answered. */
  const plansOf = async (table: string, path: string, body: object): Promise<PlanNode[][]> => {
    const reads = ({ text }: Statement) => /^\s*\(*SELECT/.test(text) && text.includes(`FROM ${table}`);
    const sent = await statementsOf(async () => {
      const { status, text } = await client.post(path, body);
      expect(text).toEqual(expect.any(String));
      expect(status).toBe(200);
    });
    const plans: PlanNode[][] = [];
    for (const statement of sent.filter(reads)) plans.push(await planOf(trace.sql, statement));
    expect(plans.length).toBeGreaterThan(0);
    return plans;
  };
  /** Rows that were read anywhere, those that a filter dropped included. */
  const touched = (plan: PlanNode[]) =>
    Math.max(...plan.map((node) => (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)));
  const page = (body: object) => ({ project_id: PROJECT, limit: 50, ...body });
  const field = ($getField: string) => ({ $getField });

  it.each([
    ['oldest first', {}],
    ['newest first', { sort_by: [{ field: 'created_at', direction: 'desc' }] }],
    ['by id', { sort_by: [{ field: 'id', direction: 'asc' }] }],
    ['by id, backwards', { sort_by: [{ field: 'id', direction: 'desc' }] }],
    ['of one type', { query: { $expr: { $eq: [field('feedback_type'), { $literal: 't77' }] } } }],
    ['of two types', { query: { $expr: { $in: [field('feedback_type'), [{ $literal: 't7' }, { $literal: 't9' }]] } } }],
    ['of one id', { query: { $expr: { $eq: [field('id'), { $literal: 'f77' }] } } }],
  ])('a page of feedback, %s, reads few rows', async (_name, body) => {
    const plans = await plansOf('feedback', '/feedback/query', page(body));
    expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
  });

  it.each([
    ['oldest first', {}],
    ['newest first', { sort_by: [{ field: 'created_at', direction: 'desc' }] }],
    ['by name', { sort_by: [{ field: 'object_id', direction: 'asc' }] }],
    ['latest', { filter: { latest_only: true } }],
    ['latest, newest first', { filter: { latest_only: true }, sort_by: [{ field: 'created_at', direction: 'desc' }] }],
    ['under the alias latest', { filter: { aliases: ['latest'] } }],
    ['under the alias latest twice', { filter: { aliases: ['latest', 'latest'] } }],
    ['under an alias', { filter: { aliases: ['chosen'] } }],
    ['latest or under an alias', { filter: { aliases: ['chosen', 'latest'] }, offset: 10 }],
  ])('a page of objects, %s, reads few rows', async (_name, body) => {
    for (const metadata_only of [true, false]) {
      const plans = await plansOf('object_', '/objs/query', page({ metadata_only, ...body }));
      expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
    }
  });

  it.each(['asc', 'desc'])('a page of a queue, %s, reads few rows', async (direction) => {
    const body = page({ sort_by: [{ field: 'created_at', direction }] });
    const plans = await plansOf('annotation_queue_items', `/annotation_queues/${queue}/items/query`, body);
    expect(plans.map(touched).filter((rows) => rows > FEW)).toEqual([]);
  });

  it('a claim in a queue that is nearly done takes the first item that is left, without sorting them', async () => {
    await client.put(`/annotation_queues/${queue}`, { project_id: PROJECT, reviewers_per_item: 1 });
    await trace.sql(`UPDATE annotation_queue_items SET finished_count = 1 WHERE id <> ALL ($1::text[])`, [
      Array.from({ length: 100 }, (_, n) => `i${ITEMS - n}`),
    ]);
    let claimed = '';
    const sent = await statementsOf(async () => {
      const { item } = (await client.post(`/annotation_queues/${queue}/items/claim`, { project_id: PROJECT })).json();
      claimed = item.id;
    });
    expect(claimed).toBe(`i${ITEMS - 99}`);
    const picks = sent.filter(({ text }) => /SELECT i\.id\s+FROM annotation_queue_items i/.test(text));
    expect(picks).toHaveLength(1);
    const plan = await planOf(trace.sql, picks[0] as Statement);
    expect(plan.map((node) => node['Node Type'])).not.toContain('Sort');
    const items = plan.filter((node) => node['Relation Name'] === 'annotation_queue_items');
    expect(items.map((node) => [node['Index Name'], node['Actual Rows']])).toEqual([
      ['annotation_queue_items_project_id_queue_id_created_at_id_idx', 1],
    ]);
  });

  it('a new version of an object with many reads few of them', async () => {
    for (const className of ['Dataset', 'Dataset', 'Model']) {
      const body = anObject('deep', aTyped(className, { at: Math.random() }));
      const sent = await statementsOf(async () => {
        expect((await client.post('/obj/create', body)).status).toBe(className === 'Model' ? 409 : 200);
      });
      const reads = sent.filter(({ text }) => /^\s*\(*(SELECT|UPDATE)/.test(text) && text.includes('object_versions'));
      expect(reads.length).toBeGreaterThanOrEqual(className === 'Model' ? 1 : 3);
      for (const statement of reads) expect(touched(await planOf(trace.sql, statement))).toBeLessThan(FEW);
    }
  });

  it.each(['latest', 'chosen', 'v9', 'd9'])(
    'version %s of an object with many is found without reading others',
    async (name) => {
      const sent = await statementsOf(() => client.get(`/v2/acme/demo/models/deep/versions/${name}`));
      const reads = sent.filter(({ text }) => text.includes('object_versions'));
      expect(reads.length).toBeGreaterThan(0);
      for (const statement of reads) expect(touched(await planOf(trace.sql, statement))).toBeLessThan(FEW);
    },
  );

  it('an evaluation with many versions is deleted one by one without reading the others', async () => {
    await trace.sql(`UPDATE object_versions SET base_object_class = 'Evaluation' WHERE object_id = 'deep'`);
    await trace.sql('VACUUM ANALYZE object_versions');
    const sent = await statementsOf(async () => {
      expect((await client.delete('/v2/acme/demo/evaluations/deep?digests=latest')).json()).toEqual({ num_deleted: 1 });
      expect((await client.delete('/v2/acme/demo/ops/deep?digests=latest')).status).toBe(404);
    });
    const reads = sent.filter(({ text }) => /^\s*\(*(SELECT|UPDATE)/.test(text) && text.includes('object_versions'));
    // One deletes; the other looks for the version, then for any op.
    expect(reads.length).toBeGreaterThanOrEqual(3 + 2);
    for (const statement of reads) expect(touched(await planOf(trace.sql, statement))).toBeLessThan(FEW);
  });
});
