import { startTestApp, type TestApp, type TestClient, type TestResponse, type TestUser, until } from '@hone/testing';

import { finishedCalls, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const project_id = PROJECT;
const CALLS = ['c1', 'c2', 'c3'];
const NOTHING = [200, { item: null, lease: null }];
const codeOf = ({ status, json }: TestResponse) => [status, json().code];
const answerOf = ({ status, json }: TestResponse) => [status, json()];
const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const LOST = [409, 'annotation.lease_lost'];
const FULL = [409, 'annotation.reviewers_full'];

describe('claims of queue items', () => {
  let trace: TestApp;
  let client: TestClient;
  let ann: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await client.post('/call/upsert_batch', finishedCalls(...CALLS));
    ann = await trace.user('ann', { roles: { acme: 'annotator' } });
    bob = await trace.user('bob', { roles: { acme: 'annotator' } });
  });
  afterAll(() => trace.close());

  /** A new queue with the calls in it. @returns its path, and the ids of its items, the oldest first */
  async function aQueue(fields: object = {}, calls = CALLS): Promise<{ path: string; items: string[] }> {
    const { id } = (await client.post('/annotation_queues', { project_id, name: 'q', ...fields })).json();
    const path = `/annotation_queues/${id}`;
    for (const call of calls) await client.post(`${path}/items`, { project_id, call_ids: [call] });
    const { items } = (await client.post(`${path}/items/query`, { project_id })).json();
    return { path, items: items.map((item: { id: string }) => item.id) };
  }
  const claim = (path: string, who: TestUser, body: object = {}) =>
    trace.as(who).post(`${path}/items/claim`, { project_id, ...body });
  const move = (path: string, item: string | undefined, who: TestUser, annotation_state: string) =>
    trace.as(who).post(`${path}/items/${item}/progress`, { project_id, annotation_state });
  const lease = (path: string, item: string | undefined, who: TestUser, verb: string, body: object) =>
    trace.as(who).post(`${path}/items/${item}/lease/${verb}`, { project_id, ...body });
  const expire = (item: string | undefined) =>
    trace.sql(`UPDATE annotation_progress SET lease_expires_at = now() - interval '1 ms' WHERE item_id = $1`, [item]);
  const secondsLeft = (at: string) => (Date.parse(at) - Date.now()) / 1_000;

  it('gives the oldest item on a lease, and the same one again while the lease lasts', async () => {
    const { path, items } = await aQueue({ lease_seconds: 120 });
    const first = (await claim(path, ann)).json();
    expect(first).toEqual({
      item: expect.objectContaining({
        id: items[0],
        call_id: 'c1',
        annotation_state: 'unstarted',
        annotator_user_id: ann.id,
      }),
      lease: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), expires_at: expect.stringMatching(/\.\d{3}Z$/) },
    });
    expect(secondsLeft(first.lease.expires_at)).toBeGreaterThan(30);
    expect(secondsLeft(first.lease.expires_at)).toBeLessThan(180);
    await move(path, items[0], ann, 'in_progress');
    const again = (await claim(path, ann, { lease_seconds: 3_600 })).json();
    expect([again.item.id, again.item.annotation_state, again.lease.id]).toEqual([
      items[0],
      'in_progress',
      first.lease.id,
    ]);
    expect(secondsLeft(again.lease.expires_at)).toBeGreaterThan(1_800);
    const shorter = (await lease(path, items[0], ann, 'renew', { lease_id: first.lease.id, lease_seconds: 10 })).json();
    expect(shorter).toEqual({ lease: again.lease });
  });

  it('goes on with the next item once one is finished, until there is none', async () => {
    const { path, items } = await aQueue();
    for (const [index, state] of ['completed', 'skipped', 'completed'].entries()) {
      const { item, lease: held } = (await claim(path, ann)).json();
      expect(item.id).toBe(items[index]);
      expect((await move(path, item.id, ann, state)).status).toBe(200);
      expect(codeOf(await lease(path, item.id, ann, 'renew', { lease_id: held.id }))).toEqual(LOST);
    }
    expect(answerOf(await claim(path, ann))).toEqual(NOTHING);
    expect((await claim(path, bob)).json().item.id).toBe(items[0]);
  });

  it('gives another item besides the one that is worked on, and holds both', async () => {
    const { path, items } = await aQueue({ reviewers_per_item: 1 });
    await claim(path, ann);
    const ahead = (await claim(path, ann, { besides_item_id: items[0] })).json();
    expect(ahead.item.id).toBe(items[1]);
    const again = (await claim(path, ann, { besides_item_id: items[0], lease_seconds: 3_600 })).json();
    expect(again.lease.id).toBe(ahead.lease.id);
    // However often it is asked for, no annotator holds more than two.
    expect((await claim(path, ann, { besides_item_id: items[1] })).json().item.id).toBe(items[0]);
    expect((await claim(path, bob)).json().item.id).toBe(items[2]);
    expect(answerOf(await claim(path, bob, { besides_item_id: items[2] }))).toEqual(NOTHING);
    expect((await move(path, items[0], ann, 'completed')).status).toBe(200);
    expect((await claim(path, ann)).json().item.id).toBe(items[1]);
    expect(answerOf(await claim(path, ann, { besides_item_id: items[1] }))).toEqual(NOTHING);
    // An item of nobody is no reason to get none.
    expect((await claim(path, ann, { besides_item_id: 'nothing' })).json().item.id).toBe(items[1]);
    for (const wrong of [1, 'a\u0000b']) expect((await claim(path, ann, { besides_item_id: wrong })).status).toBe(422);
  });

  it('lets no more annotators work on an item than the queue allows', async () => {
    const { path, items } = await aQueue({ reviewers_per_item: 1 }, ['c1', 'c2']);
    expect((await claim(path, ann)).json().item.id).toBe(items[0]);
    for (const state of ['in_progress', 'completed', 'skipped'])
      expect(codeOf(await move(path, items[0], bob, state))).toEqual(FULL);
    expect((await move(path, items[0], bob, 'unstarted')).status).toBe(200);
    expect((await claim(path, bob)).json().item.id).toBe(items[1]);
    expect(answerOf(await claim(path, trace.writer))).toEqual(NOTHING);
    await move(path, items[0], ann, 'completed');
    expect(codeOf(await move(path, items[0], trace.writer, 'completed'))).toEqual(FULL);
    const raised = await client.put(path, { project_id, reviewers_per_item: 2 });
    expect(raised.json().queue).toMatchObject({ reviewers_per_item: 2, lease_seconds: 900, assigned_only: false });
    expect((await claim(path, trace.writer)).json().item.id).toBe(items[0]);
    const unlimited = await client.put(path, { project_id, reviewers_per_item: null });
    expect(unlimited.json().queue.reviewers_per_item).toBe(null);
    const root = await trace.user('root', { isAdmin: true });
    expect((await claim(path, root)).json().item.id).toBe(items[0]);
  });

  it('frees the slot of an expired lease, and unstarts what was in progress', async () => {
    const { path, items } = await aQueue({ reviewers_per_item: 1 }, ['c1']);
    const { lease: late } = (await claim(path, ann)).json();
    await move(path, items[0], ann, 'in_progress');
    await expire(items[0]);
    const listed = (await client.post(`${path}/items/query`, { project_id })).json().items;
    expect(listed).toMatchObject([{ annotation_state: 'unstarted', annotator_user_id: null }]);
    for (const verb of ['renew', 'release'])
      expect(codeOf(await lease(path, items[0], ann, verb, { lease_id: late.id }))).toEqual(LOST);
    const { item, lease: held } = (await claim(path, bob)).json();
    expect([item.id, held.id === late.id]).toEqual([items[0], false]);
    expect(
      await trace.sql('SELECT state, lease_id FROM annotation_progress WHERE user_id = $1 AND item_id = $2', [
        ann.id,
        item.id,
      ]),
    ).toEqual([{ state: 'unstarted', lease_id: null }]);
    expect(codeOf(await move(path, items[0], ann, 'completed'))).toEqual(FULL);
    await expire(items[0]);
    expect((await move(path, items[0], ann, 'completed')).status).toBe(200);
    expect(codeOf(await lease(path, items[0], bob, 'renew', { lease_id: held.id }))).toEqual(LOST);
    expect(answerOf(await claim(path, bob))).toEqual(NOTHING);
  });

  it('takes an item back at once, and another’s lease from nobody', async () => {
    const { path, items } = await aQueue({ reviewers_per_item: 1 }, ['c1']);
    const { lease: held } = (await claim(path, ann)).json();
    await move(path, items[0], ann, 'in_progress');
    for (const verb of ['renew', 'release']) {
      expect(codeOf(await lease(path, items[0], bob, verb, { lease_id: held.id }))).toEqual(LOST);
      expect(codeOf(await lease(path, items[0], ann, verb, { lease_id: "'; --" }))).toEqual(LOST);
      expect(codeOf(await lease(path, 'x', ann, verb, { lease_id: held.id }))).toEqual([
        404,
        'annotation.item_not_found',
      ]);
    }
    expect(answerOf(await lease(path, items[0], ann, 'release', { lease_id: held.id }))).toEqual([200, {}]);
    expect(codeOf(await lease(path, items[0], ann, 'release', { lease_id: held.id }))).toEqual(LOST);
    expect((await claim(path, bob)).json().item).toMatchObject({ id: items[0], annotation_state: 'unstarted' });
  });

  it('repeats a keyed claim with its own answer, and gives one annotator one item at a time', async () => {
    const { path, items } = await aQueue({ reviewers_per_item: 1 });
    const headers = { 'idempotency-key': 'claim-1' };
    const first = await trace.as(ann).post(`${path}/items/claim`, { project_id }, { headers });
    await move(path, items[0], ann, 'completed');
    const again = await trace.as(ann).post(`${path}/items/claim`, { project_id }, { headers });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    const parallel = await Promise.all(Array.from({ length: 6 }, () => claim(path, bob)));
    expect(new Set(parallel.map(({ json }) => json().item.id))).toEqual(new Set([items[1]]));
  });

  it('waits for the last slot while another annotator has the item locked', async () => {
    const { path, items } = await aQueue({ reviewers_per_item: 1 }, ['c1']);
    const waiting = await trace.db.transaction(async () => {
      await trace.db.client.$queryRaw`SELECT id FROM annotation_queue_items WHERE id = ${items[0]} FOR UPDATE`;
      const claimed = claim(path, ann);
      await until(async () => (await trace.sql(WAITING)).length > 0, 'a claim that waits');
      return { claimed };
    });
    expect((await waiting.claimed).json().item.id).toBe(items[0]);
  });

  it('says what is wrong with a claim, and with the settings of a queue', async () => {
    const { path } = await aQueue();
    const locsOf = ({ status, json }: TestResponse) => [
      status,
      json().detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [loc[1], type]),
    ];
    for (const [sent, type] of [
      [9, 'greater_than_equal'],
      [86_401, 'less_than_equal'],
      ['10', 'int_type'],
      [10.5, 'int_type'],
    ] as const)
      expect(locsOf(await claim(path, ann, { lease_seconds: sent }))).toEqual([422, [['lease_seconds', type]]]);
    expect(
      locsOf(await client.put(path, { project_id, reviewers_per_item: 0, lease_seconds: 1, assigned_only: 1 })),
    ).toEqual([
      422,
      [
        ['reviewers_per_item', 'greater_than_equal'],
        ['lease_seconds', 'greater_than_equal'],
        ['assigned_only', 'bool_type'],
      ],
    ]);
    expect(codeOf(await claim('/annotation_queues/x', ann))).toEqual([404, 'annotation.queue_not_found']);
    expect(codeOf(await claim(path, ann, { project_id: 'acme/nothing' }))).toEqual([404, 'project.not_found']);
    await client.delete(`${path}?project_id=${encodeURIComponent(PROJECT)}`);
    expect(codeOf(await claim(path, ann))).toEqual([404, 'annotation.queue_not_found']);
  });
});
