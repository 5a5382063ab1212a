import { until } from '@hone/testing';

import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { EditCostsJob } from './edit-costs-job.js';
import { edit, EDITS, MAGIC, PromptEdits, ROWS } from './prompt-edits.fixture.js';

describe('the worker of prompt edits', () => {
  const edits = new PromptEdits();
  beforeAll(() => edits.start());
  beforeEach(() => edits.reset());
  afterAll(() => edits.stop());

  const itemsOf = (condition: string) =>
    edits.app.sql<{ uid: string }>(`SELECT uid FROM prompt_edit_items WHERE ${condition}`);

  it('goes on where a claim was lost midway, and asks nothing again that is settled', async () => {
    const llm = { model: 'judge', messages: [{ role: 'user', content: '{{output}}' }], tags: [{ name: 'polite' }] };
    const lost = new Set<string>();
    /** @param every so many requests, another process takes the item over before its answer is there */
    const run = async (every: number) => {
      await edits.reset();
      await edits.project.addScorer('polite', { kind: 'llm', llm });
      edits.gateway.reply = async (asked) => {
        const uid = asked.requestId.slice(0, 36);
        if (edits.gateway.asked.length % every === 0 && !lost.has(uid)) {
          lost.add(uid);
          await edits.app.sql(
            `UPDATE prompt_edit_items SET attempt = attempt + 1, lease_expires_at = now() - interval '1 second' WHERE uid = $1`,
            [uid],
          );
        }
        if (asked.body.model === 'judge') return JSON.stringify({ reason: 'so', polite: true });
        // By the candidate, so that an edit that is asked for again is the same.
        return asked.body.model === 'editor' ? edit(asked.body.seed > 4 ? MAGIC : 'Be brief.') : edits.answer(asked);
      };
      const {
        id: _id,
        created_at: _at,
        finished_at: _end,
        ...job
      } = await edits.done({ scorers: ['right', 'polite'] });
      return { job, uids: edits.gateway.asked.map(({ requestId }) => requestId.slice(0, 36)) };
    };
    const undisturbed = await run(Infinity);
    expect(undisturbed.job).toMatchObject({
      status: 'done',
      best: { candidate: 2, edit_mean: 1 },
      dropped: { worse: 1 },
    });
    const disturbed = await run(3);
    expect(disturbed.job).toEqual(undisturbed.job);
    expect(lost.size).toBeGreaterThan(20);
    expect(disturbed.uids).toHaveLength(undisturbed.uids.length + lost.size);
    const again = disturbed.uids.filter((uid, at) => disturbed.uids.indexOf(uid) < at);
    expect(new Set(again)).toEqual(lost);
    expect(again).toHaveLength(lost.size);
    const kinds = await edits.app.sql(
      `SELECT DISTINCT row_digest = '' AS edit, scorer FROM prompt_edit_items WHERE attempt > 2 AND uid = ANY($1) ORDER BY 1, 2`,
      [[...lost]],
    );
    expect(kinds).toEqual(
      expect.arrayContaining([
        { edit: false, scorer: 0 },
        { edit: false, scorer: 2 },
      ]),
    );
  });

  it('books what a process that was killed has asked, and stays within the budget with it', async () => {
    const id = await edits.create({ max_cost_usd: 1 });
    await edits.work();
    const [answer] = await itemsOf(`candidate = 0 AND scorer = 0`);
    await edits.app.sql(`UPDATE prompt_edit_items SET attempt = 2, is_cost_open = true WHERE uid = $1`, [answer?.uid]);
    const before = await edits.read(id);
    await edits.project.addUsage([`${answer?.uid}.1.0`, `${answer?.uid}.2.0`]);
    await edits.project.hurryCosts();
    await edits.app.app.get(EditCostsJob).run();
    expect((await edits.read(id)).cost_usd).toBeCloseTo(before.cost_usd + 0.001, 9);
  });

  it('ends where the budget does', async () => {
    const job = await edits.done({ max_cost_usd: 0.012 });
    expect(job).toMatchObject({ status: 'failed', error: 'Its budget of 0.012 US dollars is spent.', best: null });
    // What is in flight when the last dollar goes may be paid beyond it.
    expect(edits.gateway.asked.length).toBeGreaterThan(7);
    expect(edits.gateway.asked.length).toBeLessThanOrEqual(12 + 8);
    expect(job.cost_usd).toBeCloseTo(0.001 * edits.gateway.asked.length, 9);
  });

  it('stops when it is cancelled; what comes later is booked, and nothing more is asked', async () => {
    const id = await edits.create();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    edits.gateway.reply = async (asked) => {
      await held;
      return edits.answer(asked);
    };
    const working = edits.work();
    await until(() => Promise.resolve(edits.gateway.asked.length === 7), 'the first answers');
    expect((await edits.client.post(`${EDITS}/${id}/cancel`)).json()).toMatchObject({
      status: 'cancelled',
      best: null,
    });
    release();
    await working;
    await edits.work();
    expect(edits.gateway.asked).toHaveLength(7);
    const job = await edits.read(id);
    expect(job).toMatchObject({ status: 'cancelled', error: null, finished_at: expect.any(String) });
    expect(job.cost_usd).toBeCloseTo(0.007, 9);
    expect(await itemsOf('result IS NOT NULL')).toEqual([]);
    const { status, json } = await edits.client.post(`${EDITS}/${id}/cancel`);
    expect([status, json().code]).toEqual([409, 'prompt_edit.ended']);
  });

  it('tries again what failed for now, and gives up what fails for good', async () => {
    let isDown = true;
    edits.gateway.reply = (asked) => {
      if (asked.body.model === 'editor') return { status: 400, code: 'context_too_long' };
      return isDown ? { status: 503, code: 'overloaded' } : edits.answer(asked);
    };
    const id = await edits.create();
    await edits.work();
    expect(await edits.read(id)).toMatchObject({ status: 'running', evaluations: 0 });
    isDown = false;
    await edits.app.sql(
      `UPDATE prompt_edit_items SET available_at = now() - interval '1 second' WHERE state = 'pending'`,
    );
    await edits.work();
    const job = await edits.read(id);
    expect(job).toMatchObject({
      ...{ status: 'failed', error: 'The reflection model answered nothing: context_too_long.' },
      dropped: { unanswered: 3 },
    });
    expect(job.candidates[1]).toMatchObject({
      dropped: 'unanswered',
      detail: expect.stringContaining('context_too_long'),
    });
  });

  it('fails where its key, its owner’s role, its scorer or its prompt is gone', async () => {
    const leaver = await edits.app.user('lea', { roles: { acme: 'writer' } });
    const { json } = await edits.app.as(leaver).post(EDITS, edits.body());
    await edits.app.sql('DELETE FROM memberships WHERE user_id = $1', [leaver.id]);
    await edits.work();
    expect(edits.gateway.asked).toEqual([]);
    expect(await edits.read(json().id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('may no longer'),
    });
    const id = await edits.create();
    edits.gateway.reply = async (asked) => {
      if (asked.body.model === 'editor')
        await edits.app.sql(`UPDATE object_versions SET deleted_at = now() WHERE object_id = 'brief'`);
      return edits.answer(asked);
    };
    await edits.work();
    expect(await edits.read(id)).toMatchObject({
      status: 'failed',
      error: "There is no prompt 'brief' in the project.",
    });
  });

  it('keeps tenants apart', async () => {
    const id = await edits.create();
    const mallory = edits.app.as(await edits.app.user('mallory', { roles: { globex: 'owner' } }));
    for (const answer of [
      mallory.get(`${EDITS}/${id}`),
      mallory.post(`${EDITS}/${id}/cancel`),
      mallory.get(`${EDITS}?project_id=${PROJECT}`),
      mallory.post(EDITS, edits.body()),
    ])
      expect((await answer).status).toBe(403);
    await edits.app.sql(
      `INSERT INTO projects (id, entity_id, name, created_by) SELECT gen_random_uuid(), id, 'own', $1 FROM entities WHERE name = 'globex'`,
      [edits.app.writer.id],
    );
    const own = await JudgedProject.of(edits.app, 'globex/own');
    await own.addDataset('capitals', ROWS);
    await own.addScorer('right', { kind: 'check', check: { check: 'contains', reference: 'inputs.expected' } });
    await own.addInstance('brief', 'MessagesPrompt', { messages: [{ role: 'user', content: '{{question}}' }] });
    const refOf = (name: string) => `hone:///${PROJECT}/object/${name}:latest`;
    for (const [more, code] of [
      [{ prompt: refOf('brief') }, 'prompt.not_found'],
      [{ dataset: refOf('capitals') }, 'dataset.not_found'],
      [{ scorers: [refOf('right')] }, 'scorer.not_found'],
    ] as const) {
      const { status, json } = await mallory.post(EDITS, edits.body({ project_id: 'globex/own', ...more }));
      expect([status, json().code]).toEqual([404, code]);
    }
    expect((await mallory.get(`${EDITS}?project_id=globex/own`)).json()).toEqual({
      prompt_edits: [],
      next_cursor: null,
    });
    const tom = edits.app.as(await edits.app.user('tom', { roles: { acme: 'writer' }, scopes: ['trace'] }));
    expect((await tom.post(EDITS, edits.body())).status).toBe(403);
    const rita = edits.app.as(await edits.app.user('rita', { roles: { acme: 'reader' } }));
    expect((await rita.get(`${EDITS}/${id}`)).status).toBe(200);
    expect((await rita.post(`${EDITS}/${id}/cancel`)).status).toBe(403);
  });

  it('runs twenty in a project at most', async () => {
    for (let n = 0; n < 20; n++) await edits.create();
    const { status, json } = await edits.client.post(EDITS, edits.body());
    expect([status, json().code]).toEqual([409, 'prompt_edit.too_many']);
  });
});
