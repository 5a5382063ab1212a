import { startTestApp, type TestApp, type TestClient, type TestUser } from '@hone/testing';

import { finishedCalls, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const project_id = PROJECT;
const NONE = { items: 0, annotators: 0, pairs: [], fleiss_kappa: null, krippendorff_alpha: null, disagreements: [] };

describe('GET /annotation_queues/{queue_id}/agreement', () => {
  let trace: TestApp;
  let client: TestClient;
  let annotators: TestUser[];
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await client.post('/call/upsert_batch', finishedCalls(...Array.from({ length: 15 }, (_, n) => `c${n}`)));
    const names = ['quality', 'other'];
    for (const name of names)
      await client.post('/obj/create', {
        obj: { project_id, object_id: name, val: { name }, builtin_object_class: 'AnnotationSpec' },
      });
    annotators = await Promise.all(
      ['ann', 'bob', 'cem'].map((name) => trace.user(name, { roles: { acme: 'annotator' } })),
    );
    annotators.sort((a, b) => (a.id < b.id ? -1 : 1));
  });
  afterAll(() => trace.close());

  async function aQueue(calls: string[]): Promise<{ id: string; items: string[] }> {
    const { id } = (await client.post('/annotation_queues', { project_id, name: 'q' })).json();
    for (const call of calls) await client.post(`/annotation_queues/${id}/items`, { project_id, call_ids: [call] });
    const { items } = (await client.post(`/annotation_queues/${id}/items/query`, { project_id })).json();
    return { id, items: items.map((item: { id: string }) => item.id) };
  }
  async function judge(queue: string, who: TestUser, call: string, value: string, name = 'quality'): Promise<void> {
    const body = `{"project_id":"${project_id}","trace_ref":"x:///${project_id}/call/${call}","queue_id":"${queue}",
      "feedback_type":"hone.annotation.${name}","annotation_ref":"x:///${project_id}/object/${name}:v0","payload":{"value":${value}}}`;
    expect((await trace.as(who).post('/feedback/create', body)).status).toBe(200);
  }
  const agreement = async (queue: string, more = '&name=quality', who = trace.writer) => {
    const path = `/annotation_queues/${queue}/agreement?project_id=${encodeURIComponent(project_id)}${more}`;
    const { status, json } = await trace.as(who).get(path);
    return [status, json()];
  };

  it('measures what three annotators said of fifteen calls', async () => {
    const calls = Array.from({ length: 15 }, (_, n) => `c${n}`);
    const { id, items } = await aQueue(calls);
    expect(await agreement(id)).toEqual([200, NONE]);
    const rows = ['* * * * * 3 4 1 2 1 1 3 3 * 3', '1 * 2 1 3 3 4 3 * * * * * * *', '* * 2 1 3 4 4 * 2 1 1 3 3 * 4'];
    for (const [at, row] of rows.entries())
      for (const [n, value] of row.split(' ').entries())
        if (value !== '*') await judge(id, annotators[at] as TestUser, `c${n}`, n % 2 ? value : `${value}.0`);
    const [a, b, c] = annotators.map((one) => one.id);
    const [status, answer] = await agreement(id);
    expect([status, answer]).toEqual([
      200,
      {
        items: 13,
        annotators: 3,
        pairs: [
          { a, b, n: 3, cohen_kappa: expect.closeTo(0.5, 9) },
          { a, b: c, n: 8, cohen_kappa: expect.closeTo(2 / 3, 9) },
          { a: b, b: c, n: 5, cohen_kappa: expect.closeTo(14 / 19, 9) },
        ],
        fleiss_kappa: expect.any(Number),
        krippendorff_alpha: expect.closeTo(0.691, 3),
        disagreements: [items[5], items[7], items[14]],
      },
    ]);
    expect((await agreement(id, '&name=quality&level=interval'))[1].krippendorff_alpha).toBeCloseTo(0.811, 3);
    expect((await agreement(id, '&name=quality&level=ordinal'))[1].krippendorff_alpha).toBeCloseTo(0.807, 3);
  });

  it('takes the newest value of an annotator, of this name, queue and project alone', async () => {
    const { id, items } = await aQueue(['c0', 'c1']);
    const other = await aQueue(['c0']);
    const [ann, bob] = annotators as [TestUser, TestUser];
    await judge(id, ann, 'c0', '"bad"');
    await judge(id, ann, 'c0', '"good"');
    await judge(id, bob, 'c0', '"good"');
    await judge(id, bob, 'c0', '"bad"', 'other');
    await judge(other.id, bob, 'c0', '"bad"');
    await judge(id, bob, 'c2', '"bad"'); // not in the queue
    await judge(id, ann, 'c1', 'null');
    await judge(id, bob, 'c1', `"${'long '.repeat(100)}"`);
    const pair = { a: ann.id, b: bob.id, n: 1, cohen_kappa: null };
    expect(await agreement(id)).toEqual([200, { ...NONE, items: 2, annotators: 2, pairs: [pair] }]);
    await judge(id, ann, 'c1', `"${'long '.repeat(101)}"`);
    expect((await agreement(id))[1]).toMatchObject({
      items: 2,
      pairs: [{ n: 2, cohen_kappa: 1 / 3 }],
      disagreements: [items[1]],
    });
    await client.delete(`/annotation_queues/${id}/items/${items[1]}?project_id=${encodeURIComponent(project_id)}`);
    expect((await agreement(id))[1]).toMatchObject({ items: 1, disagreements: [] });
  });

  it('goes on with other work while it compares very many ratings', async () => {
    const { id } = await aQueue(['c0']);
    await trace.sql(
      `INSERT INTO annotation_queue_items SELECT i.project_id, i.queue_id, 'many' || n, 'many' || n, i.call_started_at,
         i.call_ended_at, i.call_op_name, i.call_trace_id, i.display_fields, i.created_at + n * interval '1 ms', i.created_by,
         i.added_by, i.updated_at, NULL, 0 FROM annotation_queue_items i, generate_series(1, 2000) n WHERE queue_id = $1`,
      [id],
    );
    await judge(id, annotators[0] as TestUser, 'c0', '1');
    await trace.sql(
      `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, queue_id, payload_text, payload_json,
         scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
       SELECT project_id, n || ' ' || a, created_at, gen_random_uuid(), feedback_type, 'acme/demo/call/many' || n, queue_id, '{}',
         jsonb_build_object('value', (n * a) % 5), '{}', '{}', '{}', '{}', '{}', '{}'
       FROM feedback, generate_series(1, 2000) n, generate_series(1, 10) a WHERE queue_id = $1`,
      [id],
    );
    await trace.sql(
      `UPDATE feedback SET svc_user_id = ('00000000-0000-7000-8000-0000000000' || lpad(split_part(id, ' ', 2), 2, '0'))::uuid
      WHERE queue_id = $1 AND trace_ref LIKE 'acme/demo/call/many%'`,
      [id],
    );
    let turns = 0;
    let pending = setImmediate(function count() {
      turns++;
      pending = setImmediate(count);
    });
    const [status, answer] = await agreement(id);
    clearImmediate(pending);
    expect([status, answer.items, answer.annotators, answer.pairs.length]).toEqual([200, 2_001, 11, 45]);
    expect(turns).toBeGreaterThan(20);
  });

  it('prints very many pairs in pieces', async () => {
    const { id } = await aQueue(['c0']);
    await judge(id, annotators[0] as TestUser, 'c0', '1');
    await trace.sql(
      `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, queue_id, payload_text, payload_json,
         scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
       SELECT project_id, 'pair ' || a, created_at, gen_random_uuid(), feedback_type, trace_ref, queue_id, payload_text,
         payload_json, '{}', '{}', '{}', '{}', '{}', '{}' FROM feedback, generate_series(1, 99) a WHERE queue_id = $1`,
      [id],
    );
    const [status, { pairs, ...answer }] = await agreement(id);
    const kept = { ...NONE, items: 1, annotators: 100, pairs: undefined };
    expect([status, { ...answer, pairs: undefined }]).toEqual([200, kept]);
    expect(pairs).toHaveLength(4_950);
    const keys = pairs.map(({ a, b }: { a: string; b: string }) => `${a} ${b}`);
    expect(keys).toEqual([...new Set(keys)].sort());
  });

  it('says what is wrong with its query', async () => {
    const { id } = await aQueue([]);
    const issuesOf = async (more: string) =>
      (await agreement(id, more))[1].detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [...loc, type]);
    expect(await issuesOf('')).toEqual([['query', 'name', 'missing']]);
    expect(await issuesOf('&name=')).toEqual([['query', 'name', 'string_too_short']]);
    expect(await issuesOf('&name=q&level=ratio')).toEqual([['query', 'level', 'enum']]);
    expect(await agreement(id, `&name=${encodeURIComponent("%'; --")}`)).toEqual([200, NONE]);
    expect((await agreement('x'))[1].code).toBe('annotation.queue_not_found');
  });
});
