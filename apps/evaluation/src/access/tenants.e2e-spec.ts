import { startTestApp, type TestApp, type TestClient, type TestUser } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { VerdictWorker } from '../verdicts/verdict-worker.js';

const SCORINGS = '/evaluation/scorings';
const TRY = '/evaluation/scorers/try';
const OTHER = 'acme/other';
const CHECK = { kind: 'check', check: { check: 'contains', value: 'cold' } };
const JUDGE = {
  kind: 'llm',
  llm: { model: 'judge', messages: [{ role: 'user', content: '{{output}}' }], tags: [{ name: 'polite' }] },
};
const VERDICT = JSON.stringify({ reason: 'so', polite: true });

describe('tenants of the evaluation service', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let call: string;
  let scoring: string;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    const module = EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url }));
    app = await startTestApp(module, {}, { isOwn: true });
    const project = await JudgedProject.of(app);
    [call] = (await project.addCalls({})) as [string];
    await project.addScorer('cold', CHECK);
    await project.addScorer('polite', JUDGE);
    const other = await JudgedProject.of(app, OTHER);
    await other.addScorer('elsewhere', CHECK);
    gateway.reply = () => VERDICT;
    scoring = (await create(app.as(app.writer), { scorer: 'cold' })).json().id;
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });

  const create = (client: TestClient, body: object) => client.post(SCORINGS, { project_id: PROJECT, ...body });
  const tryOut = (client: TestClient, body: object) =>
    client.post(TRY, { project_id: PROJECT, call_ids: [call], ...body });
  const codeOf = async (answer: ReturnType<TestClient['get']>) => {
    const { status, json } = await answer;
    return [status, json().code];
  };
  const DENIED = [403, 'access.denied'];

  it('find nothing of another entity, whatever they name', async () => {
    const mallory = app.as(await app.user('mallory', { roles: { globex: 'owner' } }));
    const own = await app.sql<{ id: string }>(
      `INSERT INTO projects (id, entity_id, name, created_by) SELECT gen_random_uuid(), id, 'own', $1 FROM entities
       WHERE name = 'globex' RETURNING id`,
      [app.writer.id],
    );
    expect(own).toHaveLength(1);
    for (const answer of [
      mallory.get(`${SCORINGS}/${scoring}`),
      mallory.post(`${SCORINGS}/${scoring}/cancel`),
      mallory.post(`${SCORINGS}/${scoring}/retry`),
      mallory.get(`${SCORINGS}?project_id=${PROJECT}`),
      create(mallory, { scorer: 'cold' }),
      tryOut(mallory, { scorer: 'cold' }),
    ])
      expect((await answer).status).toBe(403);
    // Neither the scorer nor the call of others is in a project of their own.
    const at = { project_id: 'globex/own' };
    for (const scorer of ['cold', `hone:///${PROJECT}/object/cold:latest`]) {
      expect(await codeOf(create(mallory, { ...at, scorer }))).toEqual([404, 'scorer.not_found']);
      expect(await codeOf(tryOut(mallory, { ...at, scorer }))).toEqual([404, 'scorer.not_found']);
    }
    const tried = await tryOut(mallory, { ...at, definition: CHECK });
    expect([tried.status, tried.json().verdicts]).toEqual([
      200,
      [expect.objectContaining({ call_id: call, state: 'skipped', code: 'missing_call' })],
    ]);
    expect((await mallory.get(`${SCORINGS}?project_id=globex/own`)).json()).toEqual({
      scorings: [],
      next_cursor: null,
    });
  });

  it('stay in the project that their key is bound to', async () => {
    const bound = await app.user('bob', { roles: { acme: 'owner' }, onlyProject: PROJECT });
    const client = app.as(bound);
    for (const answer of [
      create(client, { project_id: OTHER, scorer: 'elsewhere' }),
      tryOut(client, { project_id: OTHER, scorer: 'elsewhere' }),
      client.get(`${SCORINGS}?project_id=${OTHER}`),
    ])
      expect((await answer).status).toBe(403);
    const made = (await create(app.as(app.writer), { project_id: OTHER, scorer: 'elsewhere' })).json();
    for (const answer of [
      client.get(`${SCORINGS}/${made.id}`),
      client.post(`${SCORINGS}/${made.id}/cancel`),
      client.post(`${SCORINGS}/${made.id}/retry`),
    ])
      expect((await answer).status).toBe(403);
    const judged = (await create(client, { scorer: 'polite' })).json();
    await app.app.get(VerdictWorker).run();
    expect((await client.get(`${SCORINGS}/${judged.id}`)).json()).toMatchObject({
      status: 'done',
      counts: { done: 1 },
    });
    expect(gateway.asked.map(({ project }) => project)).toEqual([PROJECT]);
  });

  it('may read as readers, and change nothing', async () => {
    const rita = app.as(await app.user('rita', { roles: { acme: 'reader' } }));
    expect((await rita.get(`${SCORINGS}/${scoring}`)).json()).toMatchObject({ id: scoring });
    expect((await rita.get(`${SCORINGS}?project_id=${PROJECT}`)).json().scorings).toContainEqual(
      expect.objectContaining({ id: scoring }),
    );
    for (const answer of [
      create(rita, { scorer: 'cold' }),
      tryOut(rita, { scorer: 'cold' }),
      tryOut(rita, { definition: CHECK }),
      rita.post(`${SCORINGS}/${scoring}/cancel`),
      rita.post(`${SCORINGS}/${scoring}/retry`),
    ])
      expect((await answer).status).toBe(403);
  });

  it('ask no model with a key that may ask none', async () => {
    gateway.reset();
    const tracer = await app.user('tom', { roles: { acme: 'writer' }, scopes: ['trace'] });
    const client = app.as(tracer);
    expect((await create(client, { scorer: 'cold' })).status).toBe(200);
    expect((await tryOut(client, { definition: CHECK })).json()).toMatchObject({ judged: 1 });
    const byWriter = (await create(app.as(app.writer), { scorer: 'polite' })).json();
    for (const answer of [
      create(client, { scorer: 'polite' }),
      tryOut(client, { scorer: 'polite' }),
      tryOut(client, { definition: JUDGE }),
      client.post(`${SCORINGS}/${byWriter.id}/retry`),
    ])
      expect(await codeOf(answer)).toEqual(DENIED);
    expect(gateway.asked).toEqual([]);
  });

  it('judge no more once their role is gone', async () => {
    const leaver: TestUser = await app.user('lea', { roles: { acme: 'writer' } });
    await app.sql(`UPDATE scorings SET status = 'done', finished_at = now()`);
    const made = (await create(app.as(leaver), { scorer: 'cold' })).json();
    await app.sql('DELETE FROM memberships WHERE user_id = $1', [leaver.id]);
    await app.sql(`DELETE FROM verdicts`);
    await app.app.get(VerdictWorker).run();
    expect((await app.as(app.writer).get(`${SCORINGS}/${made.id}`)).json()).toMatchObject({
      ...{ status: 'failed', error: expect.stringContaining('may no longer write') },
    });
  });
});
