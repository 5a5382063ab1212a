import { startTestApp, type TestApp, type TestClient, until, waitsForLock } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { ScoringsRepository } from '../scorings/scorings.repository.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { VerdictCostsJob } from './verdict-costs-job.js';
import { VerdictWorker } from './verdict-worker.js';
import { VerdictsRepository } from './verdicts.repository.js';

const judge = (model: string) => ({
  kind: 'llm',
  llm: { model, messages: [{ role: 'user', content: '{{output}}' }], tags: [{ name: 'polite' }] },
});
const VERDICT = JSON.stringify({ reason: 'so', polite: true });
const MANY = 60;

describe('the worker of scorings', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    const module = EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url }));
    app = await startTestApp(module, {}, { isOwn: true });
    client = app.as(app.writer);
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });
  beforeEach(async () => {
    gateway.reset();
    await app.sql('TRUNCATE verdicts, scorings, feedback, calls, call_values, object_heads, object_versions');
    project = await JudgedProject.of(app);
  });

  const create = async (body: object): Promise<string> => {
    const { status, json } = await client.post('/evaluation/scorings', { project_id: PROJECT, ...body });
    expect([status, json()]).toMatchObject([200, { status: 'queued' }]);
    return json().id as string;
  };
  const read = async (id: string) => (await client.get(`/evaluation/scorings/${id}`)).json();

  it('shares its slots: a small scoring does not wait for a large one', async () => {
    const calls = await project.addCalls(...Array.from({ length: MANY }, () => ({})));
    await project.addScorer('large', judge('large'));
    await project.addScorer('small', judge('small'));
    gateway.reply = () => VERDICT;
    await create({ scorer: 'large' });
    await create({ scorer: 'small', call_ids: calls.slice(0, 2) });
    await app.app.get(VerdictWorker).run();
    expect(gateway.asked).toHaveLength(MANY + 2);
    const models = gateway.asked.map(({ body }) => body.model);
    expect(models.lastIndexOf('small')).toBeLessThan(MANY - 8);
  });

  it('stores nothing about a call that was deleted while its judge was thinking', async () => {
    const [kept, deleted] = await project.addCalls({}, {});
    await project.addScorer('polite', judge('judge'));
    gateway.reply = async ({ metadata }) => {
      if (metadata['hone.judged_call'] === deleted)
        await app.sql('UPDATE calls SET deleted_at = now() WHERE id = $1', [deleted]);
      return VERDICT;
    };
    const id = await create({ scorer: 'polite' });
    await app.app.get(VerdictWorker).run();
    expect(await read(id)).toMatchObject({ status: 'done', cost_usd: 0.002 });
    expect((await project.feedback()).map(({ call }) => call)).toEqual([kept]);
  });

  it('books the answers of a vote that fails later', async () => {
    await project.addCalls({});
    await project.addScorer('polite', judge('judge'));
    gateway.reply = ({ body }) => (body.messages.length > 2 ? { status: 400, code: 'refused' } : 'Well done!');
    const id = await create({ scorer: 'polite' });
    await app.app.get(VerdictWorker).run();
    expect(await read(id)).toMatchObject({ cost_usd: 0.001, problems: [{ code: 'refused' }] });
  });

  it('books what a judge cost that is asked again without log-probabilities', async () => {
    await project.addCalls({});
    const ratings = [{ name: 'clear', min: 1, max: 5 }];
    const llm = { model: 'judge', messages: [{ role: 'user', content: '{{output}}' }], ratings, expected: true };
    await project.addScorer('clear', { kind: 'llm', llm });
    gateway.reply = ({ requestId }) =>
      requestId.endsWith('.plain') ? JSON.stringify({ reason: 'so', clear: 4 }) : 'x'.repeat(5 * 1_048_576);
    const id = await create({ scorer: 'clear' });
    await app.app.get(VerdictWorker).run();
    expect(await read(id)).toMatchObject({ status: 'done', counts: { done: 1 }, cost_usd: 0.001 });
    await project.addUsage(gateway.asked.map(({ requestId }) => requestId));
    await project.hurryCosts();
    await app.app.get(VerdictCostsJob).run();
    expect(await read(id)).toMatchObject({ cost_usd: 0.002 });
  });

  it('waits for a gateway that starts again, which is no failed try', async () => {
    await project.addCalls({});
    await project.addScorer('polite', judge('judge'));
    const port = Number(new URL(gateway.url).port);
    await gateway.close();
    const id = await create({ scorer: 'polite' });
    const working = app.app.get(VerdictWorker).run();
    await expect(fetch(gateway.url)).rejects.toThrow('fetch failed');
    gateway = await FakeGateway.start(port);
    gateway.reply = () => VERDICT;
    await working;
    expect(await read(id)).toMatchObject({ status: 'done', counts: { done: 1 } });
    expect(await app.sql('SELECT failures FROM verdicts')).toEqual([{ failures: 0 }]);
  });

  /** Holds a lock of one verdict meanwhile. */
  const whileLocked = (callId: string | undefined, work: () => Promise<void>) =>
    app.db.transaction(async () => {
      await app.db.client.$queryRaw`SELECT FROM verdicts WHERE call_id = ${callId} FOR UPDATE`;
      await app.db.detached(work);
    });
  const claimed = async () => {
    const calls = await project.addCalls(...Array.from({ length: 4 }, () => ({})));
    await project.addScorer('polite', judge('judge'));
    const id = await create({ scorer: 'polite' });
    gateway.reply = () => VERDICT;
    await app.app.get(VerdictWorker).run();
    await app.sql(
      `UPDATE verdicts SET state = 'running', lease_expires_at = now() - interval '1 second', settled_at = NULL, attempt = 7`,
    );
    return { id, calls };
  };

  it('renews what nobody has locked, and waits for no lock', async () => {
    const { id, calls } = await claimed();
    const claims = calls.map((call) => ({ id: call, uid: '', attempt: 7, failures: 0 }));
    await whileLocked(calls[2], () => app.app.get(VerdictsRepository).renew(id, claims));
    const kept = await app.sql<{ id: string }>(
      `SELECT call_id AS id FROM verdicts WHERE lease_expires_at > now() + interval '20 seconds' ORDER BY 1`,
    );
    expect(kept.map((row) => row.id)).toEqual(calls.filter((_, at) => at !== 2));
  });

  it.each(['a release', 'an erasure', 'a cancel', 'a retry'])(
    'locks verdicts in the order of their calls for %s',
    async (what) => {
      const { id, calls } = await claimed();
      const [first, ...others] = calls as [string, ...string[]];
      const claims = [...calls].reverse().map((call) => ({ id: call, uid: '', attempt: 7, failures: 0 }));
      const works: Record<string, () => Promise<unknown>> = {
        'a release': () => app.app.get(VerdictsRepository).release(id, claims),
        'an erasure': () => app.sql('DELETE FROM call_values WHERE id = ANY($1)', [calls]),
        'a cancel': () => app.app.get(ScoringsRepository).finish(id, 'cancelled'),
        'a retry': () => app.app.get(ScoringsRepository).retry(id),
      };
      if (what === 'a retry') await app.sql(`UPDATE verdicts SET state = 'failed'`);
      if (what === 'a cancel') await app.sql('UPDATE scorings SET finished_at = NULL');
      // So that the order in which the table has them is another one.
      for (const call of [...calls].reverse())
        await app.sql('UPDATE verdicts SET code = code WHERE call_id = $1', [call]);
      let working: Promise<unknown> = Promise.resolve();
      await whileLocked(first, async () => {
        working = works[what]?.() as Promise<unknown>;
        await until(() => waitsForLock(app.sql), 'the first verdict');
        // Fails where one of them is locked already.
        await app.sql('SELECT call_id FROM verdicts WHERE call_id = ANY($1) FOR UPDATE NOWAIT', [others]);
      });
      await working;
      const states = (await project.verdicts()).map(({ state }) => state);
      expect(states).toEqual(what === 'a retry' ? calls.map(() => 'pending') : []);
    },
  );

  it.each(['before', 'after'])('frees calls whose worker is gone %s their scoring is over', async (when) => {
    await project.addCalls({});
    await project.addScorer('cold', { kind: 'check', check: { check: 'contains', value: 'cold' } });
    const id = await create({ scorer: 'cold' });
    await app.app.get(VerdictWorker).run();
    await app.sql('UPDATE scorings SET finished_at = NULL');
    const lease = when === 'before' ? '-1 second' : '1 hour';
    await app.sql(`UPDATE verdicts SET state = 'running', settled_at = NULL, lease_expires_at = now() + $1::interval`, [
      lease,
    ]);
    expect((await client.post(`/evaluation/scorings/${id}/cancel`)).json()).toMatchObject({ status: 'cancelled' });
    await app.sql(`UPDATE verdicts SET lease_expires_at = now() - interval '1 second'`);
    if (when === 'after') await app.app.get(VerdictCostsJob).run();
    expect(await project.verdicts()).toEqual([]);
  });
});
