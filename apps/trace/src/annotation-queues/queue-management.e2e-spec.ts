import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { finishedCalls, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const project_id = PROJECT;
const OF_PROJECT = `?project_id=${encodeURIComponent(PROJECT)}`;
const codeOf = ({ status, json }: TestResponse) => [status, json().code];
const linesOf = ({ text }: TestResponse) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('managing annotation queues', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await client.post('/call/upsert_batch', finishedCalls('c1', 'c2', 'c3'));
  });
  afterEach(() => trace.sql('DELETE FROM annotation_queues'));
  afterAll(() => trace.close());

  const create = async (name: string, fields: object = {}): Promise<string> =>
    (await client.post('/annotation_queues', { project_id, name, ...fields })).json().id;
  const add = (queue: string, ...call_ids: string[]) =>
    client.post(`/annotation_queues/${queue}/items`, { project_id, call_ids });
  const itemsOf = async (queue: string, body: object = {}): Promise<{ id: string; call_id: string }[]> =>
    (await client.post(`/annotation_queues/${queue}/items/query`, { project_id, ...body })).json().items;

  it('reads a queue whole, changes what is given and keeps the rest', async () => {
    const scorer_refs = ['x-y:///acme/demo/object/quality:v0'];
    const id = await create('Wrong answers', { description: 'marked down', scorer_refs });
    const read = await client.get(`/annotation_queues/${id}${OF_PROJECT}`);
    const queue = {
      id,
      project_id,
      name: 'Wrong answers',
      description: 'marked down',
      scorer_refs: ['hone:///acme/demo/object/quality:v0'],
      reviewers_per_item: null,
      lease_seconds: 900,
      assigned_only: false,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      created_by: trace.writer.id,
      updated_at: read.json().queue.created_at,
      deleted_at: null,
    };
    expect([read.status, read.json()]).toEqual([200, { queue }]);
    const changes: [object, object][] = [
      [{ name: "it's\t%_", description: null }, { name: "it's\t%_" }],
      [
        { description: '', scorer_refs: [] },
        { description: '', scorer_refs: [] },
      ],
      [
        { reviewers_per_item: 3, lease_seconds: 60 },
        { reviewers_per_item: 3, lease_seconds: 60 },
      ],
      [
        { assigned_only: true, reviewers_per_item: null },
        { assigned_only: true, reviewers_per_item: null },
      ],
      [{ lease_seconds: null, assigned_only: null }, {}],
      [{}, {}],
    ];
    let expected: object = queue;
    for (const [sent, change] of changes) {
      expected = { ...expected, ...change, updated_at: expect.any(String) };
      const { status, json } = await client.put(`/annotation_queues/${id}`, { project_id, ...sent });
      expect([status, json()]).toEqual([200, { queue: expected }]);
      expect((await client.get(`/annotation_queues/${id}${OF_PROJECT}`)).json()).toEqual(json());
      expect(json().queue.updated_at >= json().queue.created_at).toBe(true);
    }
  });

  it('deletes a queue once, and nothing reaches it or its items then', async () => {
    const id = await create('q');
    await add(id, 'c1');
    const item = (await itemsOf(id))[0]?.id as string;
    const deleted = await client.delete(`/annotation_queues/${id}${OF_PROJECT}`);
    const { queue } = deleted.json();
    expect([deleted.status, queue.id, queue.deleted_at]).toEqual([200, id, queue.updated_at]);
    const gone = [404, 'annotation.queue_not_found'];
    expect(codeOf(await client.delete(`/annotation_queues/${id}${OF_PROJECT}`))).toEqual(gone);
    expect(codeOf(await client.get(`/annotation_queues/${id}${OF_PROJECT}`))).toEqual(gone);
    expect(codeOf(await client.put(`/annotation_queues/${id}`, { project_id, name: 'x' }))).toEqual(gone);
    expect(codeOf(await client.delete(`/annotation_queues/${id}/items/${item}${OF_PROJECT}`))).toEqual(gone);
    expect(codeOf(await add(id, 'c2'))).toEqual(gone);
    expect((await client.post('/annotation_queues/query', { project_id })).text).toBe('');
    expect((await client.post('/annotation_queues/stats', { project_id, queue_ids: [id] })).json()).toEqual({
      stats: [],
    });
  });

  it('lists queues by part of their name in any case, sorted and paged', async () => {
    const names = ['Straße 100%', 'STRASSE', 'strand', 'Ärger', 'a_b'];
    const ids = new Map<string, string>();
    for (const name of names) {
      ids.set(name, await create(name));
      await trace.sql(
        `UPDATE annotation_queues SET created_at = '2026-02-01'::timestamptz + $2 * interval '1 s'
        WHERE id = $1`,
        [ids.get(name), ids.size],
      );
    }
    const query = async (body: object) => {
      const response = await client.post('/annotation_queues/query', { project_id, ...body });
      expect([response.status, response.headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
      return linesOf(response).map(({ name }) => name);
    };
    expect((await query({}))[0]).toBe('a_b');
    const sort_by = [{ field: 'name', direction: 'asc' }];
    expect(await query({ sort_by })).toEqual(['STRASSE', 'Straße 100%', 'a_b', 'strand', 'Ärger']);
    expect(await query({ sort_by, name: 'strasse' })).toEqual(['STRASSE', 'Straße 100%']);
    expect(await query({ sort_by, name: 'ÄR' })).toEqual(['Ärger']);
    expect(await query({ sort_by, name: '%' })).toEqual(['Straße 100%']);
    expect(await query({ sort_by, name: '_' })).toEqual(['a_b']);
    expect(await query({ name: "'; --" })).toEqual([]);
    expect(await query({ sort_by: [{ field: 'id', direction: 'desc' }], limit: 2, offset: 1 })).toEqual([
      'Ärger',
      'strand',
    ]);
    expect(await query({ limit: 0 })).toEqual([]);
    expect(await query({ project_id: 'acme/nothing' })).toEqual([]);
    const wrong = await client.post('/annotation_queues/query', {
      project_id,
      sort_by: [{ field: 'name; --', direction: 'up' }],
      limit: -1,
    });
    expect(wrong.json().detail.map(({ loc, type }: { loc: unknown; type: string }) => [loc, type])).toEqual([
      [['body', 'sort_by', 0, 'field'], 'enum'],
      [['body', 'sort_by', 0, 'direction'], 'enum'],
      [['body', 'limit'], 'greater_than_equal'],
    ]);
  });

  it('streams more queues than memory is asked to hold at once', async () => {
    await create('first');
    await trace.sql(`INSERT INTO annotation_queues (project_id, id, name, description, scorer_refs, created_at, created_by, updated_at)
      SELECT project_id, 'q' || n, 'copy', '', '{}', created_at, created_by, updated_at
      FROM annotation_queues, generate_series(1, 600) n`);
    const lines = linesOf(await client.post('/annotation_queues/query', { project_id }));
    expect(new Set(lines.map(({ id }) => id)).size).toBe(601);
  });

  it('takes an item out of its queue once; its call may come again', async () => {
    const queue = await create('q');
    const other = await create('other');
    await add(queue, 'c1', 'c2');
    const [first, second] = await itemsOf(queue);
    const removal = `/annotation_queues/${queue}/items/${first?.id}`;
    await client.post(`${removal}/progress`, { project_id, annotation_state: 'in_progress' });
    const missing = [404, 'annotation.item_not_found'];
    expect(codeOf(await client.delete(`/annotation_queues/${other}/items/${first?.id}${OF_PROJECT}`))).toEqual(missing);
    const removed = await client.delete(`${removal}${OF_PROJECT}`);
    expect([removed.status, removed.json().item]).toMatchObject([
      200,
      { id: first?.id, call_id: 'c1', annotation_state: 'in_progress', annotator_user_id: trace.writer.id },
    ]);
    expect(removed.json().item.deleted_at).toMatch(/Z$/);
    expect(codeOf(await client.delete(`${removal}${OF_PROJECT}`))).toEqual(missing);
    expect(codeOf(await client.post(`${removal}/progress`, { project_id, annotation_state: 'skipped' }))).toEqual(
      missing,
    );
    expect((await itemsOf(queue)).map(({ id }) => id)).toEqual([second?.id]);
    expect((await add(queue, 'c1')).json()).toMatchObject({ added_count: 1 });
    const again = (await itemsOf(queue, { filter: { call_id: 'c1' } })) as { id: string; annotation_state?: string }[];
    expect(again).toMatchObject([{ annotation_state: 'unstarted' }]);
    expect(again[0]?.id).not.toBe(first?.id);
  });

  it('counts items, and those that anyone has completed', async () => {
    const [full, empty] = [await create('full'), await create('empty')];
    await add(full, 'c1', 'c2', 'c3');
    const [one, two, three] = await itemsOf(full);
    const annotator = trace.as(await trace.user('ann', { roles: { acme: 'annotator' } }));
    const move = (who: TestClient, item: { id: string } | undefined, annotation_state: string) =>
      who.post(`/annotation_queues/${full}/items/${item?.id}/progress`, { project_id, annotation_state });
    await move(client, one, 'completed');
    await move(annotator, one, 'completed');
    await move(annotator, two, 'skipped');
    await move(annotator, three, 'completed');
    const queue_ids = [empty, 'nothing', full, empty];
    const stats = async (body: object = {}) =>
      (await client.post('/annotation_queues/stats', { project_id, queue_ids, ...body })).json();
    expect(await stats()).toEqual({
      stats: [
        { queue_id: empty, total_items: 0, completed_items: 0 },
        { queue_id: full, total_items: 3, completed_items: 2 },
      ],
    });
    // The client has completed one, the annotator has completed or skipped three.
    expect((await stats({ with_own: true })).stats.map(({ own_items }: { own_items: number }) => own_items)).toEqual([
      0, 1,
    ]);
    const ofAnnotator = { project_id, queue_ids: [full], with_own: true };
    expect((await annotator.post('/annotation_queues/stats', ofAnnotator)).json()).toEqual({
      stats: [{ queue_id: full, total_items: 3, completed_items: 2, own_items: 3 }],
    });
    await client.delete(`/annotation_queues/${full}/items/${three?.id}${OF_PROJECT}`);
    expect((await stats()).stats[1]).toEqual({ queue_id: full, total_items: 2, completed_items: 1 });
    expect(await stats({ project_id: 'acme/nothing' })).toEqual({ stats: [] });
    const tooMany = { project_id, queue_ids: Array.from({ length: 1_001 }, String) };
    expect((await client.post('/annotation_queues/stats', tooMany)).json().detail[0].type).toBe('too_many');
  });

  it.each(['id', 'call_id', 'call_op_name', 'call_trace_id', 'added_by'])(
    'filters items by their %s',
    async (field) => {
      const queue = await create('q');
      await add(queue, 'c1', 'c2');
      const [first] = (await itemsOf(queue)) as unknown as [Record<string, string>];
      const shared = ['call_op_name', 'call_trace_id', 'added_by'].includes(field);
      expect(await itemsOf(queue, { filter: { [field]: first[field] } })).toHaveLength(shared ? 2 : 1);
      for (const nothing of ['', "' OR true --", '%'])
        expect(await itemsOf(queue, { filter: { [field]: nothing } })).toEqual([]);
    },
  );

  it('takes names of no queue for what they are', async () => {
    await create('q');
    for (const id of ['x', '%25', "'%20OR%20true--", '__proto__'])
      expect(codeOf(await client.get(`/annotation_queues/${id}${OF_PROJECT}`))).toEqual([
        404,
        'annotation.queue_not_found',
      ]);
    expect(codeOf(await client.get(`/annotation_queues/x?project_id=acme%2Fnothing`))).toEqual([
      404,
      'project.not_found',
    ]);
    const unnamed = await client.delete('/annotation_queues/x');
    expect([unnamed.status, unnamed.json().detail[0].loc]).toEqual([422, ['query', 'project_id']]);
    const wrong = await client.put('/annotation_queues/x', { project_id, name: '', scorer_refs: ['no ref'], more: 1 });
    expect(wrong.json().detail.map(({ loc }: { loc: unknown[] }) => loc)).toEqual([
      ['body', 'name'],
      ['body', 'scorer_refs', 0],
      ['body', 'more'],
    ]);
  });
});
