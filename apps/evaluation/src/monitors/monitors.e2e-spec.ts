import { roundsOf, startTestApp, type TestApp, type TestClient, type TestUser } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { isDrawn } from '../judged-calls/draw.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { VerdictWorker } from '../verdicts/verdict-worker.js';
import { MonitorWorker } from './monitor-worker.js';

const MONITORS = '/evaluation/monitors';
const COLD = { kind: 'check', check: { check: 'contains', value: 'cold' } };
const JUDGE = {
  kind: 'llm',
  llm: { model: 'judge', messages: [{ role: 'user', content: '{{output}}' }], tags: [{ name: 'ok' }] },
};
const isCold = { $expr: { $contains: { input: { $getField: 'output' }, substr: { $literal: 'cold' } } } };

describe('monitors', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let owner: TestUser;
  let client: TestClient;
  let project: JudgedProject;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    app = await startTestApp(
      EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url })),
      {},
      { isOwn: true },
    );
    owner = await app.user('olga', { roles: { acme: 'owner' } });
    client = app.as(owner);
  });
  const others: TestApp[] = [];
  afterEach(async () => {
    // The newest first: an installation of its own takes its database along.
    for (const other of others.splice(0).toReversed()) await other.close();
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });
  beforeEach(async () => {
    gateway.reset();
    gateway.reply = () => '{"reason": "r", "ok": true}';
    await app.sql(
      'TRUNCATE monitors, monitor_queue, verdicts, scorings, feedback, calls, call_values, object_heads, object_versions',
    );
    project = await JudgedProject.of(app);
    await project.addScorer('cold', COLD);
    await project.addScorer('judge', JUDGE);
  });

  const create = async (body: object) => {
    const { status, json } = await client.post(MONITORS, { project_id: PROJECT, name: 'm', scorer: 'cold', ...body });
    expect([status, json()]).toMatchObject([200, { status: 'live', today: null }]);
    return json().id as string;
  };
  const read = async (id: string) => (await client.get(`${MONITORS}/${id}`)).json();
  const workOn = async (...replicas: TestApp[]) => {
    await Promise.all(replicas.map((replica) => replica.app.get(MonitorWorker).run()));
    await Promise.all(replicas.map((replica) => replica.app.get(VerdictWorker).run()));
  };
  const work = () => workOn(app);
  const replicaOf = async ({ url }: TestApp) => {
    const replica = await startTestApp(
      EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url })),
      { databaseUrl: url },
    );
    others.push(replica);
    return replica;
  };
  const judged = async () => (await project.feedback()).map(({ call }) => call);

  it('judge calls as they end, once, and none from before', async () => {
    const [before] = await project.addCalls({});
    const id = await create({});
    await work();
    const [now, running] = await project.addCalls({}, { isRunning: true });
    await work();
    expect(await judged()).toEqual([now]);
    await app.sql('UPDATE calls SET ended_at = now() WHERE id = $1', [running]);
    await app.sql(`UPDATE call_values SET output_text = '"cold"' WHERE id = ANY ($1)`, [[running, now]]);
    await work();
    await work();
    expect(await judged()).toEqual([now, running]);
    expect(await judged()).not.toContain(before);
    expect(await read(id)).toMatchObject({ status: 'live', today: { counts: { done: 2, pending: 0 }, cost_usd: 0 } });
    expect((await client.get(`/evaluation/scorings?project_id=${PROJECT}`)).json().scorings).toEqual([]);
  });

  it('judge those that they mean, of these the share that they draw', async () => {
    const id = await create({ query: isCold, sample_rate: 0.3 });
    const calls = Array.from({ length: 60 }, (_, at) => ({ output: at % 2 ? 'cold' : 'warm' }));
    const ids = await project.addCalls(...calls);
    await work();
    const expected = ids.filter((call, at) => at % 2 === 1 && isDrawn(id, call, 0.3));
    expect(await judged()).toEqual(expected);
    expect(expected.length).toBeGreaterThan(2);
  });

  it('draw the same calls on three replicas and on another installation, and judge nothing twice', async () => {
    const rate = 0.25;
    const calls = Array.from({ length: roundsOf(4_000, 'HONE_MONITORED_CALLS') }, () => ({}));
    // Calls are drawn by the ids of the monitor and of the call: these are the same at each run.
    const id = '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d';
    await app.sql('UPDATE monitors SET id = $1 WHERE id = $2', [id, await create({ sample_rate: rate })]);
    const ids = await project.addCalls(...calls);
    await workOn(app, await replicaOf(app), await replicaOf(app));
    const drawn = await judged();
    expect(drawn).toEqual(ids.filter((call) => isDrawn(id, call, rate)));
    const spread = Math.sqrt(calls.length * rate * (1 - rate));
    expect(Math.abs(drawn.length - calls.length * rate)).toBeLessThanOrEqual(3 * spread);

    const second = await startTestApp(
      EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url })),
      {},
      { isOwn: true },
    );
    others.push(second);
    const copy = await JudgedProject.of(second);
    await copy.addScorer('cold', COLD);
    const { json } = await second.as(await second.user('olga', { roles: { acme: 'owner' } })).post(MONITORS, {
      ...{ project_id: PROJECT, name: 'm', scorer: 'cold', sample_rate: rate },
    });
    await second.sql('UPDATE monitors SET id = $1 WHERE id = $2', [id, json().id]);
    expect(await copy.addCalls(...calls)).toEqual(ids);
    await workOn(second, await replicaOf(second), await replicaOf(second));
    expect((await copy.feedback()).map(({ call }) => call)).toEqual(drawn);
  });

  it('wait for midnight where the budget of the day is spent, and say so', async () => {
    const id = await create({ scorer: 'judge', max_cost_usd_per_day: 0.003 });
    await project.addCalls(...Array.from({ length: 8 }, () => ({})));
    await work();
    expect(await read(id)).toMatchObject({ status: 'budget_spent', today: { cost_usd: 0.003, counts: { done: 3 } } });
    await project.addCalls({});
    await work();
    expect(gateway.asked).toHaveLength(3);
    // A larger budget is in effect at once.
    await client.put(`${MONITORS}/${id}`, { max_cost_usd_per_day: 0.004 });
    await project.addCalls({});
    await work();
    expect(await read(id)).toMatchObject({ today: { cost_usd: 0.004 } });
    // The next day begins anew.
    await app.sql(`UPDATE scorings SET monitor_day = monitor_day - 1`);
    await project.addCalls({});
    await work();
    expect(await read(id)).toMatchObject({ status: 'live', today: { cost_usd: 0.001, counts: { done: 1 } } });
  });

  it('judge nothing while they are paused, nor the calls in which judges asked models', async () => {
    const id = await create({});
    expect((await client.put(`${MONITORS}/${id}`, { paused: true })).json()).toMatchObject({ status: 'paused' });
    await project.addCalls({});
    await work();
    await client.put(`${MONITORS}/${id}`, { paused: false });
    const [, call] = await project.addCalls({ user: 'hone.scorer:judge' }, {});
    await work();
    expect(await judged()).toEqual([call]);
    expect((await client.delete(`${MONITORS}/${id}`)).status).toBe(200);
    await project.addCalls({});
    await work();
    expect(await judged()).toEqual([call]);
  });

  it('follow a new version of their scorer when they are told', async () => {
    const id = await create({});
    await project.addCalls({});
    await work();
    const digest = await project.addScorer('cold', { kind: 'check', check: { check: 'exact', value: 'cold' } });
    expect((await client.put(`${MONITORS}/${id}`, { scorer: 'cold' })).json().scorer).toContain(digest);
    await project.addCalls({});
    await work();
    expect(await app.sql('SELECT scorer_digest = $1 AS is_new FROM verdicts ORDER BY call_id', [digest])).toEqual([
      { is_new: false },
      { is_new: true },
    ]);
  });

  it('say why they fail, and go on once somebody else takes them over', async () => {
    const leaver = await app.user('leaver', { roles: { acme: 'owner' } });
    const made = await app.as(leaver).post(MONITORS, { project_id: PROJECT, name: 'theirs', scorer: 'cold' });
    const { id } = made.json();
    await app.sql('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [leaver.keyId]);
    await project.addCalls({});
    await work();
    expect(await read(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('has ended') });
    expect((await client.put(`${MONITORS}/${id}`, {})).json()).toMatchObject({ status: 'live', error: null });
    const [call] = await project.addCalls({});
    await work();
    expect(await judged()).toEqual([call]);
  });

  it('are refused with what is wrong', async () => {
    await create({});
    const send = async (body: object, as = client) => {
      const { status, json } = await as.post(MONITORS, { project_id: PROJECT, name: 'x', scorer: 'cold', ...body });
      return [status, json().code ?? json().detail[0].loc.join('.')];
    };
    expect(await send({ name: 'm' })).toEqual([409, 'monitor.name_taken']);
    expect(await send({ scorer: 'nobody' })).toEqual([404, 'scorer.not_found']);
    expect(await send({ sample_rate: 0 })).toEqual([422, 'body.sample_rate']);
    expect(await send({ max_cost_usd_per_day: 0 })).toEqual([422, 'body.max_cost_usd_per_day']);
    const search = { $expr: { $search: { words: { $literal: 'cold' } } } };
    expect(await send({ query: search })).toEqual([422, 'body.query.$expr']);
    const judged = { $expr: { $feedbackHas: { $and: [] } } };
    expect(await send({ query: judged })).toEqual([422, 'body.query.$expr']);
    expect((await send({}, app.as(app.writer)))[0]).toBe(403);
    expect((await app.as(app.writer).get(`${MONITORS}?project_id=${PROJECT}`)).json().monitors).toHaveLength(1);
  });
});
