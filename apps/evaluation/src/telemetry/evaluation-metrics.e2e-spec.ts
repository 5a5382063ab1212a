import { setTimeout as sleep } from 'node:timers/promises';

import { Database } from '@hone/database';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';
import { jest } from '@jest/globals';

import { EvaluationModule } from '../evaluation.module.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { VerdictCostsJob } from '../verdicts/verdict-costs-job.js';
import { VerdictWorker } from '../verdicts/verdict-worker.js';

const JUDGE = {
  kind: 'llm',
  llm: { model: 'judge', messages: [{ role: 'user', content: '{{output}}' }], tags: [{ name: 'polite' }] },
};

describe('the metrics of the evaluation service', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    const module = EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url }));
    app = await startTestApp(module, {}, { isOwn: true });
    client = app.as(app.writer);
    project = await JudgedProject.of(app);
    await project.addScorer('polite', JUDGE);
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });

  /** Name with labels -> value. */
  const scrape = async (): Promise<Record<string, number>> => {
    const { body } = await app.app.getHttpAdapter().getInstance().inject('/metrics');
    const lines = String(body)
      .split('\n')
      .filter((line) => line.startsWith('hone_evaluation_'));
    return Object.fromEntries(
      lines.map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
    );
  };

  /** Until what waits is read again. */
  const fresh = () => sleep(3_100);

  it('ask the database once for all scrapes of some seconds', async () => {
    const read = jest.spyOn(app.app.get(Database).client, '$queryRaw');
    await Promise.all([scrape(), scrape(), scrape()]);
    await scrape();
    // What waits, and the monitors.
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
    await fresh();
  });

  it('count verdicts by outcome, what they cost and how long judges take, and say what waits', async () => {
    const [fine, failing] = await project.addCalls({}, {}, { isRunning: true });
    gateway.reply = ({ metadata }) => {
      if (metadata['hone.judged_call'] === fine) return JSON.stringify({ reason: 'so', polite: true });
      return gateway.asked.length > 2 ? { status: 400, code: 'refused' } : { cut: true };
    };
    await client.post('/evaluation/scorings', { project_id: PROJECT, scorer: 'polite' });
    await app.app.get(VerdictWorker).run();
    await app.sql(`UPDATE verdicts SET available_at = now() - interval '1 minute' WHERE call_id = $1`, [failing]);
    const found = await scrape();
    expect(found).toMatchObject({
      'hone_evaluation_items_total{item="verdict",outcome="done"}': 1,
      'hone_evaluation_items_total{item="verdict",outcome="skipped"}': 1,
      'hone_evaluation_items_total{item="verdict",outcome="pending"}': 1,
      'hone_evaluation_cost_usd_total{item="verdict"}': 0.001,
      'hone_evaluation_ask_seconds_count{outcome="ok"}': 1,
      'hone_evaluation_ask_seconds_count{outcome="unavailable"}': 1,
      'hone_evaluation_queue_items{item="verdict"}': 1,
      'hone_evaluation_queue_items{item="cell"}': 0,
      'hone_evaluation_queue_age_seconds{item="cell"}': 0,
      'hone_evaluation_queue_items{item="prompt_edit"}': 0,
    });
    expect(found['hone_evaluation_queue_age_seconds{item="verdict"}']).toBeGreaterThanOrEqual(60);
    await app.app.get(VerdictWorker).run();
    await project.addUsage(gateway.asked.map(({ requestId }) => requestId));
    await project.hurryCosts();
    await app.app.get(VerdictCostsJob).run();
    await fresh();
    expect(await scrape()).toMatchObject({
      'hone_evaluation_items_total{item="verdict",outcome="failed"}': 1,
      'hone_evaluation_cost_usd_total{item="verdict"}': 0.003,
      'hone_evaluation_ask_seconds_count{outcome="refused"}': 1,
      'hone_evaluation_queue_items{item="verdict"}': 0,
    });
  });

  it('count monitors by whether they judge', async () => {
    const owner = app.as(await app.user('olga', { roles: { acme: 'owner' } }));
    const body = { project_id: PROJECT, scorer: 'polite' };
    for (const [name, paused] of [
      ['a', false],
      ['b', true],
      ['c', true],
    ] as const) {
      const { status } = await owner.post('/evaluation/monitors', { ...body, name, paused });
      expect(status).toBe(200);
    }
    await fresh();
    expect(await scrape()).toMatchObject({
      'hone_evaluation_monitors{state="live"}': 1,
      'hone_evaluation_monitors{state="paused"}': 2,
      'hone_evaluation_monitors{state="budget_spent"}': 0,
      'hone_evaluation_monitors{state="failed"}': 0,
    });
  });
});
