import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { CellWorker } from './cell-worker.js';

const RUNS = '/evaluation/runs';
const OTHER = 'acme/other';
const CHECK = { kind: 'check', check: { check: 'contains', reference: 'inputs.expected' } };
const ROWS = [{ question: 'The opposite of hot?', expected: 'cold' }];
const BODY = { dataset: 'opposites', scorers: ['right'], candidates: [{ model: 'small' }] };

describe('tenants of evaluations on the server', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    gateway.reply = () => 'cold';
    const module = EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url }));
    app = await startTestApp(module, {}, { isOwn: true });
    for (const id of [PROJECT, OTHER]) {
      const project = await JudgedProject.of(app, id);
      await project.addDataset('opposites', ROWS);
      await project.addScorer('right', CHECK);
      await project.addInstance('brief', 'Prompt', { messages: [{ role: 'user', content: '{{question}}' }] });
    }
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });
  beforeEach(() => {
    gateway.asked.length = 0;
  });

  const create = (client: TestClient, more: object = {}) =>
    client.post(RUNS, { project_id: PROJECT, ...BODY, ...more });
  const work = () => app.app.get(CellWorker).run();

  it('find nothing of another entity, whatever they name', async () => {
    const { id } = (await create(app.as(app.writer))).json();
    const mallory = app.as(await app.user('mallory', { roles: { globex: 'owner' } }));
    for (const answer of [
      mallory.get(`${RUNS}/${id}`),
      mallory.post(`${RUNS}/${id}/cancel`),
      mallory.post(`${RUNS}/${id}/retry`),
      mallory.get(`${RUNS}?project_id=${PROJECT}`),
      create(mallory),
    ])
      expect((await answer).status).toBe(403);
    await app.sql(
      `INSERT INTO projects (id, entity_id, name, created_by) SELECT gen_random_uuid(), id, 'own', $1 FROM entities
       WHERE name = 'globex'`,
      [app.writer.id],
    );
    const own = await JudgedProject.of(app, 'globex/own');
    await own.addDataset('mine', ROWS);
    await own.addScorer('check', CHECK);
    // A dataset whose rows are those of others.
    const [table] = await app.sql<{ digest: string }>('SELECT digest FROM table_versions LIMIT 1');
    await own.addInstance('theirs', 'Dataset', { rows: `hone:///${PROJECT}/table/${table?.digest}` });
    const at = { project_id: 'globex/own', dataset: 'mine', scorers: ['check'] };
    const refOf = (name: string) => `hone:///${PROJECT}/object/${name}:latest`;
    for (const [more, code] of [
      [{ dataset: refOf('opposites') }, 'dataset.not_found'],
      [{ dataset: 'theirs' }, 'dataset.not_found'],
      [{ scorers: [refOf('right')] }, 'scorer.not_found'],
      [{ dataset: null, scorers: null, evaluation: refOf('opposites-evaluation') }, 'evaluation.not_found'],
      [{ candidates: [{ model: 'small', prompt: refOf('brief') }] }, 'prompt.not_found'],
    ] as const) {
      const { status, json } = await create(mallory, { ...at, ...more });
      expect([status, json().code]).toEqual([404, code]);
    }
    expect((await mallory.get(`${RUNS}?project_id=globex/own`)).json()).toEqual({ runs: [], next_cursor: null });
  });

  it('stay in the project that their key is bound to', async () => {
    const client = app.as(await app.user('bob', { roles: { acme: 'owner' }, onlyProject: PROJECT }));
    const { id } = (await create(app.as(app.writer), { project_id: OTHER })).json();
    for (const answer of [
      create(client, { project_id: OTHER }),
      client.get(`${RUNS}?project_id=${OTHER}`),
      client.get(`${RUNS}/${id}`),
      client.post(`${RUNS}/${id}/cancel`),
      client.post(`${RUNS}/${id}/retry`),
    ])
      expect((await answer).status).toBe(403);
    await app.sql('DELETE FROM evaluation_jobs');
    const own = (await create(client)).json();
    await work();
    expect((await client.get(`${RUNS}/${own.id}`)).json()).toMatchObject({ status: 'done' });
    expect(gateway.asked.map(({ project }) => project)).toEqual([PROJECT]);
  });

  it('may read as readers, and change nothing', async () => {
    const rita = app.as(await app.user('rita', { roles: { acme: 'reader' } }));
    const { id } = (await create(app.as(app.writer))).json();
    expect((await rita.get(`${RUNS}/${id}`)).json()).toMatchObject({ id });
    expect((await rita.get(`${RUNS}?project_id=${PROJECT}`)).json().runs[0]).toMatchObject({ id });
    for (const answer of [create(rita), ...['cancel', 'retry'].map((action) => rita.post(`${RUNS}/${id}/${action}`))])
      expect((await answer).status).toBe(403);
  });

  it('ask no model with a key that may ask none', async () => {
    await app.sql('DELETE FROM evaluation_jobs');
    const client = app.as(await app.user('tom', { roles: { acme: 'writer' }, scopes: ['trace'] }));
    const { status, json } = await create(client);
    expect([status, json().code]).toEqual([403, 'access.denied']);
    expect(await app.sql('SELECT id FROM evaluation_jobs')).toEqual([]);
  });

  it('ask no more once their role is gone', async () => {
    const leaver = await app.user('lea', { roles: { acme: 'writer' } });
    const { id } = (await create(app.as(leaver))).json();
    await app.sql('DELETE FROM memberships WHERE user_id = $1', [leaver.id]);
    await work();
    await work();
    expect((await app.as(app.writer).get(`${RUNS}/${id}`)).json()).toMatchObject({
      ...{ status: 'failed', error: expect.stringContaining('may no longer write') },
    });
    expect(gateway.asked).toEqual([]);
  });

  it('have fifty open ones in a project at most', async () => {
    await app.sql('DELETE FROM evaluation_jobs');
    const client = app.as(app.writer);
    for (let n = 0; n < 50; n++) expect((await create(client)).status).toBe(200);
    const { status, headers, json } = await create(client);
    expect([status, headers['retry-after'], json().code]).toEqual([429, '30', 'quota.evaluation_jobs_full']);
    expect((await create(client, { project_id: OTHER })).status).toBe(200);
    await app.sql('DELETE FROM evaluation_jobs');
  });
});
