import type { JsonObject } from '@hone/contracts';
import { startTestApp, type TestApp, type TestClient, until, waitsForLock } from '@hone/testing';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { EvaluationModule } from '../evaluation.module.js';
import type { ScoringRecord } from '../scorings/scoring.record.js';
import { ScoringsRepository } from '../scorings/scorings.repository.js';
import { type AskedJudge, FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { VerdictCostsJob } from './verdict-costs-job.js';
import { VerdictWorker } from './verdict-worker.js';
import { VerdictsRepository } from './verdicts.repository.js';

const CONTAINS = { kind: 'check', check: { check: 'contains', value: 'cold' } };
const JUDGE = {
  kind: 'llm',
  llm: {
    model: 'judge',
    messages: [{ role: 'user', content: 'Asked: {{messages}}\nAnswered: {{output}}' }],
    ratings: [{ name: 'helpful', min: 1, max: 5 }],
    tags: [{ name: 'polite' }],
  },
};
const VERDICT = JSON.stringify({ reason: 'right', helpful: 4, polite: true });

describe('scorings', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    app = await startTestApp(
      EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url })),
      {},
      { isOwn: true },
    );
    client = app.as(app.writer);
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });
  beforeEach(async () => {
    gateway.reset();
    await app.sql('TRUNCATE verdicts, scorings, feedback, calls, call_values, object_heads, object_versions');
    await app.sql('TRUNCATE open_costs, usage_records');
    project = await JudgedProject.of(app);
  });

  const work = () => app.app.get(VerdictWorker).run();
  const create = async (body: object) => {
    const { status, json } = await client.post('/evaluation/scorings', { project_id: PROJECT, ...body });
    expect([status, json()]).toMatchObject([200, { status: 'queued' }]);
    return json().id as string;
  };
  const read = async (id: string) => (await client.get(`/evaluation/scorings/${id}`)).json();
  /** Makes what failed for now due at once. */
  const hurry = () => app.sql(`UPDATE verdicts SET available_at = now() - interval '1 second' WHERE state = 'pending'`);

  /** Looks for all costs that are open. */
  const book = async () => {
    await project.hurryCosts();
    await app.app.get(VerdictCostsJob).run();
  };

  it('give each call one verdict of a check, as feedback', async () => {
    await project.addCalls({}, { output: 'warm' }, { isRunning: true });
    const digest = await project.addScorer('says-cold', CONTAINS);
    const id = await create({ scorer: 'says-cold' });
    await work();
    expect(await read(id)).toMatchObject({
      ...{ status: 'done', is_planned: true, cost_usd: 0, error: null },
      scorer: `hone:///${PROJECT}/object/says-cold:${digest}`,
      counts: { pending: 0, done: 2, skipped: 1, failed: 0, judged_before: 0 },
      problems: [{ state: 'skipped', code: 'missing_end', calls: 1, example_call_id: 'call-000002' }],
    });
    expect(await project.feedback()).toEqual([
      ...[['call-000000', 1] as const, ['call-000001', 0] as const].map(([call, passed]) => ({
        ...{ call, type: 'hone.runnable.says-cold', ratings: { passed }, tags: passed ? ['passed'] : [] },
        payload: { output: { passed, ...(passed && { tags: ['passed'] }) } },
      })),
    ]);
  });

  it('judge a call once for each version of a scorer, whoever asks again', async () => {
    await project.addCalls({}, {});
    await project.addScorer('cold', CONTAINS);
    await create({ scorer: 'cold' });
    await work();
    const again = await create({ scorer: 'cold' });
    await work();
    expect(await read(again)).toMatchObject({ status: 'done', counts: { done: 0, judged_before: 2 } });
    await project.addScorer('cold', { kind: 'check', check: { check: 'exact', value: 'cold' } });
    const newer = await create({ scorer: 'cold' });
    await work();
    expect(await read(newer)).toMatchObject({ status: 'done', counts: { done: 2, judged_before: 0 } });
    expect(await project.feedback()).toHaveLength(4);
  });

  it('ask a judge by a strict schema, its reason before its numbers, and book what it costs', async () => {
    await project.addCalls({});
    const digest = await project.addScorer('helpful', JUDGE);
    gateway.reply = () => VERDICT;
    const id = await create({ scorer: `helpful:${digest}` });
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', counts: { done: 1 }, cost_usd: 0.001 });
    const [asked] = gateway.asked as [AskedJudge];
    expect(asked).toMatchObject({
      project: PROJECT,
      metadata: { user: 'hone.scorer:helpful', 'hone.judged_call': 'call-000000' },
      body: {
        ...{ model: 'judge', temperature: 0, seed: 0, max_tokens: 512 },
        messages: [
          { role: 'user', content: 'Asked: user: The opposite of hot?\nAnswered: cold' },
          { role: 'user', content: expect.stringContaining('"helpful": a whole number from 1 to 5') },
        ],
        response_format: { type: 'json_schema', json_schema: { strict: true } },
      },
    });
    expect(Object.entries(asked.body.response_format.json_schema.schema)).toEqual(
      Object.entries({
        type: 'object',
        properties: {
          reason: { type: 'string', maxLength: 225 },
          helpful: { type: 'integer', enum: [1, 2, 3, 4, 5] },
          polite: { type: 'boolean' },
        },
        required: ['reason', 'helpful', 'polite'],
        additionalProperties: false,
      }),
    );
    expect(await project.feedback()).toEqual([
      {
        ...{ call: 'call-000000', type: 'hone.runnable.helpful', ratings: { helpful: 0.75 }, tags: ['polite'] },
        payload: { output: { helpful: 4, tags: ['polite'], reason: 'right' } },
      },
    ]);
  });

  it('ask once more where an answer has not the form, then say so', async () => {
    await project.addCalls({}, {});
    await project.addScorer('helpful', JUDGE);
    const wrong = [
      '{"reason": "x", "helpful": 9, "polite": true}',
      VERDICT,
      'Great answer!',
      '{"reason": "x", "helpful"',
    ];
    gateway.reply = ({ metadata, body }) =>
      wrong[(metadata['hone.judged_call'] === 'call-000001' ? 0 : 2) + (body.messages.length > 2 ? 1 : 0)] as string;
    const id = await create({ scorer: 'helpful' });
    await work();
    expect(await read(id)).toMatchObject({
      ...{ status: 'done', counts: { done: 1, failed: 1 }, cost_usd: 0.004 },
      problems: [{ state: 'failed', code: 'judge_answered_nonsense', calls: 1, example_call_id: 'call-000000' }],
    });
    const corrected = gateway.asked
      .filter(({ body }) => body.messages.length > 2)
      .map(({ body }) => body.messages.at(-1));
    expect(corrected).toContainEqual({
      ...{ role: 'user', content: expect.stringContaining('"helpful" should be a whole number from 1 to 5.') },
    });
  });

  it.each([
    [{ status: 429, code: 'rate_limit_exceeded' }, 'rate_limit_exceeded'],
    [{ status: 503, code: 'overloaded' }, 'overloaded'],
    [{ cut: true }, 'gateway_unreachable'],
  ] as const)('try again what failed for now (%j), five times, then name it', async (reply, code) => {
    await project.addCalls({});
    await project.addScorer('helpful', JUDGE);
    gateway.reply = () => reply;
    const id = await create({ scorer: 'helpful' });
    for (let time = 0; time < 6; time++) {
      expect(await read(id)).toMatchObject({ finished_at: null });
      await hurry();
      await work();
    }
    expect(gateway.asked).toHaveLength(6);
    expect(await read(id)).toMatchObject({ status: 'done', counts: { failed: 1 }, problems: [{ code }] });
    // What failed is judged once more on request, and nothing else.
    gateway.reply = () => VERDICT;
    expect((await client.post(`/evaluation/scorings/${id}/retry`)).json()).toMatchObject({ status: 'running' });
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', counts: { failed: 0, done: 1 } });
  });

  it('try what cannot succeed no second time', async () => {
    await project.addCalls({});
    await project.addScorer('helpful', JUDGE);
    gateway.reply = () => ({ status: 404, code: 'model_not_found' });
    const id = await create({ scorer: 'helpful' });
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', problems: [{ code: 'model_not_found' }] });
    expect(gateway.asked).toHaveLength(1);
  });

  it('check what calls cost by the prices of their project', async () => {
    const used = { prompt_tokens: 1_000, completion_tokens: 0, total_tokens: 1_000, requests: 1 };
    const usages: JsonObject[] = [
      { 'gpt-4o': used },
      { 'gpt-4o': { ...used, prompt_tokens: 10, total_tokens: 10 } },
      { unheard: used },
    ];
    const ids = await project.addCalls(...usages.map((usage) => ({ summary: { usage } })), {});
    await project.addScorer('cheap', { kind: 'check', check: { check: 'cost', max: 0.001 } });
    const id = await create({ scorer: 'cheap' });
    await work();
    expect(await project.feedback()).toMatchObject([
      { call: ids[0], tags: [], payload: { output: { passed: 0, value: 0.0025 } } },
      { call: ids[1], tags: ['passed'], payload: { output: { passed: 1, value: 0.000025 } } },
    ]);
    expect(await read(id)).toMatchObject({ problems: [{ state: 'skipped', code: 'missing_cost', calls: 2 }] });
  });

  it('end where the budget is spent, with what they did', async () => {
    await project.addCalls(...Array.from({ length: 20 }, () => ({})));
    await project.addScorer('helpful', JUDGE);
    gateway.reply = () => VERDICT;
    const id = await create({ scorer: 'helpful', max_cost_usd: 0.005 });
    await work();
    expect(await read(id)).toMatchObject({ status: 'budget_spent', cost_usd: 0.005, counts: { done: 5, pending: 0 } });
    // The other calls are free for another scoring.
    const next = await create({ scorer: 'helpful' });
    await work();
    expect(await read(next)).toMatchObject({ status: 'done', counts: { done: 15, judged_before: 5 } });
  });

  it('do not take it for free what comes after a call that was skipped', async () => {
    await project.addCalls(...Array.from({ length: 10 }, () => ({})), { isRunning: true });
    await project.addScorer('helpful', JUDGE);
    gateway.reply = () => ({ status: 503 });
    const id = await create({ scorer: 'helpful', max_cost_usd: 0.002 });
    // What a call that failed may have cost is waited for, one call after the other.
    for (let time = 0; time < 11; time++) {
      await work();
      await book();
    }
    expect(await read(id)).toMatchObject({ cost_usd: 0, counts: { skipped: 1, pending: 10 } });
    gateway.reply = () => VERDICT;
    await hurry();
    await work();
    expect(await read(id)).toMatchObject({ status: 'budget_spent', cost_usd: 0.002, counts: { done: 2 } });
  });

  it('spend no more than the budget on a judge that takes money and answers nothing', async () => {
    await project.addCalls(...Array.from({ length: 20 }, () => ({})));
    await project.addScorer('helpful', JUDGE);
    gateway.reply = async ({ requestId }) => {
      await project.addUsage([requestId]);
      return { cut: true };
    };
    const id = await create({ scorer: 'helpful', max_cost_usd: 0.005 });
    for (let time = 0; time < 10; time++) {
      await work();
      await book();
      await hurry();
    }
    expect(gateway.asked).toHaveLength(5);
    expect(await read(id)).toMatchObject({ status: 'budget_spent', cost_usd: 0.005, counts: { pending: 0, done: 0 } });
  });

  it.each(['cancelled', 'budget_spent', 'failed'])(
    'are no more complete by a retry than before: %s',
    async (status) => {
      await project.addCalls({});
      await project.addScorer('helpful', JUDGE);
      gateway.reply = () => ({ status: 404, code: 'model_not_found' });
      const id = await create({ scorer: 'helpful' });
      await work();
      await app.sql(`UPDATE scorings SET status = $1, error = 'Why.'`, [status]);
      for (const reply of [{ status: 404, code: 'model_not_found' }, VERDICT]) {
        gateway.reply = () => reply;
        const retried = await client.post(`/evaluation/scorings/${id}/retry`);
        expect(retried.json()).toMatchObject({ status: 'running', counts: { pending: 1 } });
        await work();
        const ended = { status, error: 'Why.', finished_at: expect.any(String) };
        expect(await read(id)).toMatchObject({ ...ended, counts: { done: reply === VERDICT ? 1 : 0 } });
      }
    },
  );

  const awaited = () =>
    app.sql<{ attempts: number[] }>('SELECT awaited_attempts AS attempts FROM open_costs WHERE awaited_at IS NOT NULL');

  it('count attempts against the budget whose costs come late, also while the next one is in flight', async () => {
    await project.addCalls({}, {}, {});
    await project.addScorer('helpful', JUDGE);
    gateway.reply = () => (gateway.asked.length > 1 ? { cut: true } : VERDICT);
    const id = await create({ scorer: 'helpful', max_cost_usd: 0.0045 });
    for (let time = 0; time < 5; time++) {
      await work();
      await hurry();
    }
    // One verdict, and the three attempts that the rest of the budget pays for.
    expect(gateway.asked).toHaveLength(4);
    expect((await awaited()).map(({ attempts }) => attempts.length).sort()).toEqual([1, 2]);
    await project.addUsage(gateway.asked.map(({ requestId }) => requestId));
    await app.sql(`UPDATE open_costs SET look_at = now() - interval '1 second'`);
    await app.app.get(VerdictCostsJob).run();
    expect((await awaited()).map(({ attempts }) => attempts)).toEqual([[], []]);
    expect(await read(id)).toMatchObject({ status: 'running', cost_usd: 0.004 });
    // What is left pays for a part of an attempt, as the last one may exceed the budget.
    await work();
    expect(gateway.asked).toHaveLength(5);
  });

  it('count what a killed worker may have spent, also while its verdict is judged again', async () => {
    await project.addCalls({});
    await project.addScorer('helpful', JUDGE);
    gateway.reply = () => ({ cut: true });
    await create({ scorer: 'helpful' });
    await work();
    await app.sql(`UPDATE verdicts SET state = 'running', attempt = 2, lease_expires_at = now() - interval '1 second'`);
    const [scoring] = await app.sql<{ id: string }>('SELECT id FROM scorings');
    const job = await app.app.get(ScoringsRepository).find(scoring?.id as string);
    expect(await app.app.get(VerdictsRepository).claim(job as ScoringRecord, 1)).toMatchObject([{ attempt: 3 }]);
    expect(await awaited()).toEqual([{ attempts: [1, 2] }]);
  });

  it('wait no longer than seconds for costs that never come', async () => {
    await project.addCalls({}, {});
    await project.addScorer('helpful', JUDGE);
    gateway.reply = () => ({ cut: true });
    const id = await create({ scorer: 'helpful', max_cost_usd: 0.005 });
    await work();
    await work();
    expect(gateway.asked).toHaveLength(1);
    await app.sql(
      `UPDATE open_costs SET awaited_at = now() - interval '19 seconds', look_at = now() - interval '1 second'`,
    );
    await app.app.get(VerdictCostsJob).run();
    await work();
    expect(gateway.asked).toHaveLength(1);
    await app.sql(
      `UPDATE open_costs SET awaited_at = now() - interval '21 seconds', look_at = now() - interval '1 second'`,
    );
    await app.app.get(VerdictCostsJob).run();
    gateway.reply = () => VERDICT;
    await hurry();
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', counts: { done: 2 } });
  });

  it('are over where the key ends in whose name they judge', async () => {
    await project.addCalls({});
    await project.addScorer('cold', CONTAINS);
    const leaver = await app.user('leaver', { roles: { acme: 'writer' } });
    const made = await app.as(leaver).post('/evaluation/scorings', { project_id: PROJECT, scorer: 'cold' });
    await app.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [leaver.keyId]);
    await work();
    expect(await read(made.json().id)).toMatchObject({ status: 'failed', error: expect.stringContaining('has ended') });
    expect(await project.feedback()).toEqual([]);
  });

  it('leave out the calls in which judges asked models, unless these are named', async () => {
    const [asked, own] = await project.addCalls({}, { user: 'hone.scorer:helpful' });
    await project.addScorer('cold', CONTAINS);
    const all = await create({ scorer: 'cold' });
    await work();
    expect((await project.feedback()).map(({ call }) => call)).toEqual([asked]);
    expect(await read(all)).toMatchObject({ counts: { done: 1 } });
    await create({ scorer: 'cold', call_ids: [own] });
    await work();
    expect((await project.feedback()).map(({ call }) => call)).toEqual([asked, own]);
  });

  it('take over what a worker left, whose late verdict counts for nothing', async () => {
    await project.addCalls({});
    await project.addScorer('helpful', JUDGE);
    const hanging = new Promise<void>((resolve) => {
      gateway.reply = () => {
        gateway.reply = () => VERDICT;
        resolve();
        return { hang: true };
      };
    });
    const id = await create({ scorer: 'helpful' });
    const left = await startTestApp(
      EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url })),
      {
        databaseUrl: app.url,
      },
    );
    const late = left.app.get(VerdictWorker).run();
    await hanging;
    await app.sql(`UPDATE verdicts SET lease_expires_at = now() - interval '1 second'`);
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', counts: { done: 1 } });
    await left.close();
    await late;
    expect(await project.verdicts()).toMatchObject([{ state: 'done', attempt: 2 }]);
    expect(await project.feedback()).toHaveLength(1);
  });

  it('delete what was found with the content of a call', async () => {
    const ids = await project.addCalls({}, {});
    await project.addScorer('cold', CONTAINS);
    await create({ scorer: 'cold' });
    await work();
    await app.sql('DELETE FROM call_values WHERE id = $1', [ids[0]]);
    expect((await project.verdicts()).map(({ call_id: id }) => id)).toEqual([ids[1]]);
  });

  it('book costs of requests that had no answer from the usage records', async () => {
    await project.addCalls({});
    await project.addScorer('helpful', JUDGE);
    gateway.reply = () => VERDICT;
    const id = await create({ scorer: 'helpful' });
    await work();
    await app.sql(`UPDATE verdicts SET is_cost_open = true`);
    const [{ uid }] = (await app.sql<{ uid: string }>('SELECT uid FROM verdicts')) as [{ uid: string }];
    await project.addUsage([`${uid}.1.0.0`, `${uid}.2.0.0`], 3_000_000);
    await project.hurryCosts();
    // Two replicas look at the same time: the row of the scoring is held until both have begun.
    const replicas = [0, 1].map(() => app.app.get(VerdictsRepository));
    let bookings: Promise<unknown>[] = [];
    await app.db.transaction(async () => {
      await app.db.client.$queryRaw`SELECT FROM scorings FOR UPDATE`;
      bookings = replicas.map((verdicts) => verdicts.bookCosts());
      await until(() => waitsForLock(app.sql), 'a booking that waits for the scoring');
      await Promise.race([until(() => waitsForLock(app.sql, replicas.length), 'the other one'), ...bookings]);
    });
    await Promise.all(bookings);
    expect(await read(id)).toMatchObject({ cost_usd: 0.006 });
    await book();
    expect(await read(id)).toMatchObject({ cost_usd: 0.006 });
  });

  it('book what verdicts cost that a cancel, or the erasure of their calls, deletes', async () => {
    const [erased] = await project.addCalls({}, {}, {});
    await project.addScorer('helpful', JUDGE);
    gateway.reply = async ({ metadata }) => {
      // This one is in flight, the others wait for another try.
      if (metadata['hone.judged_call'] !== erased) return { cut: true };
      await app.sql('DELETE FROM call_values WHERE id = $1', [erased]);
      return VERDICT;
    };
    const id = await create({ scorer: 'helpful' });
    await work();
    expect(await read(id)).toMatchObject({ counts: { pending: 2 }, cost_usd: 0 });
    expect((await client.post(`/evaluation/scorings/${id}/cancel`)).json()).toMatchObject({ status: 'cancelled' });
    expect(await project.verdicts()).toEqual([]);
    const asked = gateway.asked.map(({ requestId }) => requestId);
    await project.addUsage(asked.slice(0, 2));
    await book();
    await book();
    expect(await read(id)).toMatchObject({ cost_usd: 0.002 });
    await project.addUsage(asked.slice(2));
    await book();
    expect(await read(id)).toMatchObject({ cost_usd: 0.003 });
    // After half an hour no more come.
    await app.sql(`UPDATE open_costs SET opened_at = now() - interval '1 hour'`);
    await book();
    expect(await app.sql('SELECT uid FROM open_costs')).toEqual([]);
  });

  it('look for late costs of an old verdict since it was retried', async () => {
    await project.addCalls({});
    await project.addScorer('helpful', JUDGE);
    gateway.reply = ({ body }) => (body.messages.length > 2 ? { status: 400, code: 'refused' } : 'Well done!');
    const id = await create({ scorer: 'helpful' });
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', counts: { failed: 1 }, cost_usd: 0.001 });
    await app.sql(`UPDATE verdicts SET created_at = now() - interval '40 days'`);
    gateway.reset();
    gateway.reply = () => ({ cut: true });
    await client.post(`/evaluation/scorings/${id}/retry`);
    await work();
    const day = "created_at > now() - interval '1 day'";
    expect(await app.sql(`SELECT ${day} AS "isRecent" FROM open_costs`)).toEqual([{ isRecent: true }]);
    gateway.reply = () => VERDICT;
    await hurry();
    await work();
    await project.addUsage(gateway.asked.map(({ requestId }) => requestId));
    await book();
    expect(await read(id)).toMatchObject({ status: 'done', cost_usd: 0.003 });
  });

  it('book late costs of one where those of another cannot be booked', async () => {
    await project.addCalls({});
    await project.addScorer('helpful', JUDGE);
    gateway.reply = () => ({ cut: true });
    const ids = [await create({ scorer: 'helpful' })];
    await work();
    await project.addCalls({});
    ids.push(await create({ scorer: 'helpful' }));
    await work();
    await project.addUsage(gateway.asked.map(({ requestId }) => requestId));
    await app.sql(
      `CREATE FUNCTION no_cost() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no cost'; END $$`,
    );
    await app.sql(
      `CREATE TRIGGER no_cost BEFORE UPDATE ON scorings FOR EACH ROW WHEN (NEW.id = '${ids[0]}') EXECUTE FUNCTION no_cost()`,
    );
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await book();
    const lines = logged.mock.calls.filter(([, text]) => String(text).includes('late costs'));
    logged.mockRestore();
    expect(lines).toHaveLength(1);
    expect(lines[0]?.[1]).toContain(ids[0]);
    expect(await read(ids[1] as string)).toMatchObject({ cost_usd: 0.001 });
    await app.sql('DROP FUNCTION no_cost CASCADE');
    await book();
    expect(await read(ids[0] as string)).toMatchObject({ cost_usd: 0.001 });
  });

  it('book a cost once whose answer comes while costs are looked for', async () => {
    await project.addCalls({});
    await project.addScorer('helpful', JUDGE);
    gateway.reply = async ({ requestId }) => {
      await project.addUsage([requestId]);
      if (gateway.asked.length === 1) return { cut: true };
      await book();
      return VERDICT;
    };
    const id = await create({ scorer: 'helpful' });
    await work();
    await hurry();
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', cost_usd: 0.002 });
    await book();
    expect(await read(id)).toMatchObject({ cost_usd: 0.002 });
    expect(await project.verdicts()).toMatchObject([{ attempt: 2, cost: '2000000' }]);
  });

  it('refuse what they cannot do', async () => {
    await project.addCalls({});
    await project.addScorer('code', null);
    for (const [body, status, code] of [
      [{ scorer: 'nobody' }, 404, 'scorer.not_found'],
      [{ scorer: 'code' }, 422, 'scorer.not_defined'],
      [{ scorer: 'hone:///acme/other/object/code:latest' }, 404, 'scorer.not_found'],
    ] as const) {
      const answer = await client.post('/evaluation/scorings', { project_id: PROJECT, ...body });
      expect([answer.status, answer.json().code]).toEqual([status, code]);
    }
    for (const [body, loc] of [
      [{}, ['body', 'scorer']],
      [{ scorer: 'x', limit: 0 }, ['body', 'limit']],
      [{ scorer: 'x', max_cost_usd: 0 }, ['body', 'max_cost_usd']],
      [{ scorer: 'x', query: { $expr: { $nothing: [] } } }, ['body', 'query', '$expr']],
    ] as const) {
      const { status, json } = await client.post('/evaluation/scorings', { project_id: PROJECT, ...body });
      expect([status, json().detail[0].loc.slice(0, loc.length)]).toEqual([422, loc]);
    }
  });
});
