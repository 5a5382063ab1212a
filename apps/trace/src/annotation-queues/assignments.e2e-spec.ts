import { startTestApp, type TestApp, type TestClient, type TestResponse, type TestUser } from '@hone/testing';

import { finishedCalls, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const project_id = PROJECT;
const OF_PROJECT = `?project_id=${encodeURIComponent(PROJECT)}`;
const NOT_ASSIGNED = [403, 'annotation.not_assigned'];
const codeOf = ({ status, json }: TestResponse) => [status, json().code];
const issuesOf = ({ status, json }: TestResponse) => [
  status,
  json().detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [...loc.slice(1), type]),
];

describe('assignments of queue items', () => {
  let trace: TestApp;
  let client: TestClient;
  let ann: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await client.post('/call/upsert_batch', finishedCalls('c1', 'c2', 'c3'));
    ann = await trace.user('ann', { roles: { acme: 'annotator' } });
    bob = await trace.user('bob', { roles: { acme: 'annotator' } });
  });
  afterAll(() => trace.close());

  /** A new queue of three items, the oldest first. */
  async function aQueue(fields: object = {}): Promise<{ path: string; items: [string, string, string] }> {
    const { id } = (await client.post('/annotation_queues', { project_id, name: 'q', ...fields })).json();
    const path = `/annotation_queues/${id}/items`;
    for (const call of ['c1', 'c2', 'c3']) await client.post(path, { project_id, call_ids: [call] });
    const { items } = (await client.post(`${path}/query`, { project_id })).json();
    return { path, items: items.map((item: { id: string }) => item.id) };
  }
  const assign = (item: string, names: object) => client.put(`${item}/assignees`, { project_id, ...names });
  const claim = (path: string, who: TestUser) => trace.as(who).post(`${path}/claim`, { project_id });
  const move = (item: string, who: TestUser, annotation_state: string) =>
    trace.as(who).post(`${item}/progress`, { project_id, annotation_state });
  const reopen = (item: string, user_id: string, more: object = { reason: 'once more' }) =>
    client.post(`${item}/reopen`, { project_id, user_id, ...more });
  const auditOf = async (item: string) => (await client.get(`${item}/audit${OF_PROJECT}`)).json().entries;

  it('sets the assignees by id or name, and keeps what was changed', async () => {
    const { path, items } = await aQueue();
    const item = `${path}/${items[0]}`;
    const entryOf = ({ id, username }: TestUser) => ({
      user_id: id,
      username,
      created_at: expect.stringMatching(/Z$/),
      created_by: trace.writer.id,
    });
    const first = await assign(item, { user_ids: [bob.id, ann.id, bob.id] });
    expect([first.status, first.json()]).toEqual([200, { assignees: [entryOf(ann), entryOf(bob)] }]);
    expect((await client.get(`${item}/assignees${OF_PROJECT}`)).json()).toEqual(first.json());
    expect((await assign(item, { emails: ['bob', 'ann'] })).json()).toEqual(first.json());
    expect((await assign(item, { emails: ['ann'], user_ids: null })).json()).toEqual({
      assignees: first.json().assignees.slice(0, 1),
    });
    expect((await assign(item, { user_ids: [] })).json()).toEqual({ assignees: [] });
    const both = [ann.id, bob.id].sort();
    const entry = (before: string[], after: string[]) => ({
      ...{ id: expect.any(String), item_id: items[0], actor_id: trace.writer.id, action: 'assign', reason: null },
      ...{ before: { user_ids: before }, after: { user_ids: after }, at: expect.stringMatching(/Z$/) },
    });
    expect(await auditOf(item)).toEqual([entry([], both), entry(both, [ann.id]), entry([ann.id], [])]);
  });

  it('takes nobody who may not annotate there, and says the same of users of elsewhere', async () => {
    const { path, items } = await aQueue();
    const item = `${path}/${items[0]}`;
    const reader = await trace.user('reed', { roles: { acme: 'reader' } });
    const stranger = await trace.user('strange', { roles: { globex: 'owner' } });
    const wrong = await assign(item, { user_ids: [ann.id, reader.id, stranger.id, "'; --", ann.id.toUpperCase()] });
    expect(issuesOf(wrong)).toEqual([422, [1, 2, 3, 4].map((index) => ['user_ids', index, 'value_error'])]);
    const sentences = wrong.json().detail.map(({ msg }: { msg: string }) => msg.replace(/'.*?' is/, "'x' is"));
    expect(new Set(sentences)).toEqual(new Set(["'x' is no annotator of entity 'acme'"]));
    expect(issuesOf(await assign(item, { emails: ['strange'] }))).toEqual([422, [['emails', 0, 'value_error']]]);
    for (const names of [{}, { user_ids: [ann.id], emails: ['ann'] }, { user_ids: null, emails: null }])
      expect(issuesOf(await assign(item, names))).toEqual([422, [['user_ids', 'value_error']]]);
    expect(codeOf(await assign(`${path}/x`, { user_ids: [] }))).toEqual([404, 'annotation.item_not_found']);
    expect(await auditOf(item)).toEqual([]);
    for (const what of ['assignees', 'audit'])
      expect(codeOf(await client.get(`${path}/x/${what}${OF_PROJECT}`))).toEqual([404, 'annotation.item_not_found']);
  });

  it('gives assigned items first, and in a queue for assignees no other', async () => {
    const { path, items } = await aQueue();
    await assign(`${path}/${items[2]}`, { user_ids: [ann.id] });
    expect((await claim(path, ann)).json().item.id).toBe(items[2]);
    expect((await claim(path, bob)).json().item.id).toBe(items[0]);
    await client.put(path.replace('/items', ''), { project_id, assigned_only: true });
    expect((await claim(path, bob)).json()).toEqual({ item: null, lease: null });
    for (const state of ['in_progress', 'completed', 'unstarted'])
      expect(codeOf(await move(`${path}/${items[0]}`, bob, state))).toEqual(NOT_ASSIGNED);
    expect(codeOf(await move(`${path}/x`, bob, 'skipped'))).toEqual([404, 'annotation.item_not_found']);
    const { lease } = (await claim(path, ann)).json();
    expect((await move(`${path}/${items[2]}`, ann, 'in_progress')).status).toBe(200);
    await assign(`${path}/${items[2]}`, { user_ids: [bob.id] });
    const renewed = await trace.as(ann).post(`${path}/${items[2]}/lease/renew`, { project_id, lease_id: lease.id });
    expect(codeOf(renewed)).toEqual(NOT_ASSIGNED);
    expect((await claim(path, ann)).json().item).toBe(null);
    expect((await claim(path, bob)).json().item.id).toBe(items[2]);
  });

  it('reopens an item for one annotator, with a reason that the audit keeps', async () => {
    const { path, items } = await aQueue({ reviewers_per_item: 1 });
    const item = `${path}/${items[0]}`;
    await move(item, ann, 'completed');
    expect(issuesOf(await reopen(item, ann.id, {}))).toEqual([422, [['reason', 'missing']]]);
    expect(issuesOf(await reopen(item, ann.id, { reason: '' }))).toEqual([422, [['reason', 'string_too_short']]]);
    expect(issuesOf(await reopen(item, ann.id, { reason: 'x'.repeat(1_025) }))).toEqual([
      422,
      [['reason', 'string_too_long']],
    ]);
    expect(codeOf(await reopen(`${path}/x`, ann.id))).toEqual([404, 'annotation.item_not_found']);
    for (const user of [bob.id, 'nobody', "'; --"])
      expect(codeOf(await reopen(item, user))).toEqual([409, 'annotation.illegal_transition']);
    const answer = await reopen(item, ann.id, { reason: 'The guideline has changed. ✓' });
    expect([answer.status, answer.json().item]).toMatchObject([
      200,
      { id: items[0], annotation_state: 'unstarted', annotator_user_id: ann.id },
    ]);
    expect(codeOf(await reopen(item, ann.id))).toEqual([409, 'annotation.illegal_transition']);
    expect(await auditOf(item)).toEqual([
      {
        ...{ id: expect.any(String), item_id: items[0], actor_id: trace.writer.id, action: 'reopen' },
        ...{ before: { user_id: ann.id, state: 'completed' }, after: { user_id: ann.id, state: 'unstarted' } },
        ...{ reason: 'The guideline has changed. ✓', at: expect.stringMatching(/Z$/) },
      },
    ]);
    // The slot is free again, for whoever comes first.
    expect((await claim(path, bob)).json().item.id).toBe(items[0]);
    expect(codeOf(await move(item, ann, 'completed'))).toEqual([409, 'annotation.reviewers_full']);
  });

  it('reopens work in progress, too: its lease is lost', async () => {
    const { path, items } = await aQueue();
    const { lease } = (await claim(path, ann)).json();
    await move(`${path}/${items[0]}`, ann, 'in_progress');
    expect((await reopen(`${path}/${items[0]}`, ann.id)).status).toBe(200);
    const late = await trace.as(ann).post(`${path}/${items[0]}/lease/renew`, { project_id, lease_id: lease.id });
    expect(codeOf(late)).toEqual([409, 'annotation.lease_lost']);
    expect((await auditOf(`${path}/${items[0]}`)).map(({ before }: { before: object }) => before)).toEqual([
      { user_id: ann.id, state: 'in_progress' },
    ]);
  });
});
