import { newId } from '@hone/database';
import { startTestApp, type TestApp, type TestClient, until, waitsForLock } from '@hone/testing';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { EvaluationModule } from '../evaluation.module.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { CellCostsJob } from './cell-costs-job.js';
import { CellWorker } from './cell-worker.js';
import { CellsRepository } from './cells.repository.js';
import type { EvaluationJob } from './evaluation-job.record.js';
import { EvaluationJobsRepository } from './evaluation-jobs.repository.js';
import { JobEnd } from './job-end.service.js';
import { settledPage } from './settled-cells.sql.js';

const RUNS = '/evaluation/runs';
const MANY = 20_000;

describe('the end of an evaluation', () => {
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
    gateway.reply = () => 'cold';
    await app.sql('TRUNCATE evaluation_jobs, evaluation_cells, open_costs, usage_records, calls, call_values');
    await app.sql('TRUNCATE object_heads, object_versions, table_rows, table_versions, table_chunks');
    project = await JudgedProject.of(app);
    await project.addDataset('opposites', [{ question: 'hot?' }, { question: 'warm?' }, { question: 'far?' }]);
    await project.addScorer('cold', { kind: 'check', check: { check: 'contains', value: 'cold' } });
  });

  const work = () => app.app.get(CellWorker).run();
  const create = async (more: object = {}) => {
    const body = { project_id: PROJECT, dataset: 'opposites', scorers: ['cold'], candidates: [{ model: 'small' }] };
    const { status, json } = await client.post(RUNS, { ...body, ...more });
    expect(status).toBe(200);
    return json().id as string;
  };
  const read = async (id: string) => (await client.get(`${RUNS}/${id}`)).json();
  const ends = () =>
    app.sql<{ id: string; at: Date | null }>(
      `SELECT id, ended_at AS at FROM calls WHERE op_name = 'Evaluation.evaluate' ORDER BY id`,
    );

  it('goes on after a kill with the run that comes next', async () => {
    const id = await create({ candidates: [{ model: 'small' }, { model: 'large' }] });
    const [, large] = (await read(id)).candidates as { evaluation_run_id: string }[];
    await app.sql(
      `CREATE FUNCTION no_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no end'; END $$`,
    );
    await app.sql(
      `CREATE TRIGGER no_end BEFORE UPDATE ON calls FOR EACH ROW
       WHEN (NEW.ended_at IS NOT NULL AND NEW.id = '${large?.evaluation_run_id}') EXECUTE FUNCTION no_end()`,
    );
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await work();
    expect(logged).toHaveBeenCalledWith(expect.anything(), expect.stringContaining(id));
    logged.mockRestore();
    expect(await read(id)).toMatchObject({ status: 'done', finished_at: null });
    const before = await ends();
    expect(before.filter(({ at }) => at !== null)).toHaveLength(1);
    await app.sql('DROP FUNCTION no_end CASCADE');
    // Whoever had it, has it no longer.
    await work();
    expect(await ends()).toEqual(before);
    await app.sql(`UPDATE evaluation_jobs SET ending_until = now() - interval '1 second'`);
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', finished_at: expect.any(String) });
    const after = await ends();
    expect(after.filter(({ at }) => at !== null)).toHaveLength(2);
    expect(after).toEqual(expect.arrayContaining(before.filter(({ at }) => at !== null)));
  });

  it('says why a job cannot go on, and does the others meanwhile', async () => {
    const id = await create();
    await app.sql(
      `CREATE FUNCTION no_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no claim'; END $$`,
    );
    await app.sql(
      `CREATE TRIGGER no_claim BEFORE UPDATE ON evaluation_cells FOR EACH ROW
       WHEN (NEW.job_id = '${id}' AND NEW.state = 'running') EXECUTE FUNCTION no_claim()`,
    );
    const others = [await create({ seed: 1 }), await create({ seed: 2 })];
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await work();
    const lines = logged.mock.calls.filter(([, text]) => String(text).includes(id));
    logged.mockRestore();
    expect(lines).toHaveLength(1);
    for (const other of others) expect(await read(other)).toMatchObject({ status: 'done' });
    expect(await read(id)).toMatchObject({ status: 'running' });
    await app.sql('DROP FUNCTION no_claim CASCADE');
    await work();
    expect(await read(id)).toMatchObject({ status: 'done' });
  });

  it.each([
    [
      'run',
      'Its evaluation run was deleted.',
      `UPDATE calls SET deleted_at = now() WHERE op_name = 'Evaluation.evaluate'`,
    ],
    [
      'evaluation',
      'Its evaluation was deleted.',
      `UPDATE object_versions SET deleted_at = now() WHERE object_id = 'opposites-evaluation'`,
    ],
  ])('comes as a cancel where its %s is deleted', async (what, error, deletion) => {
    gateway.reply = async () => {
      await app.sql(deletion);
      return 'cold';
    };
    const id = await create({ concurrency: 1 });
    await work();
    expect(await read(id)).toMatchObject({ status: 'cancelled', error, finished_at: expect.any(String) });
    expect(gateway.asked).toHaveLength(1);
    const stored = what === 'run' ? [] : [{ exception: null }];
    expect(await app.sql(`SELECT exception FROM calls WHERE op_name = 'Model.predict'`)).toEqual(stored);
    expect(await app.sql(`SELECT exception FROM calls WHERE op_name = 'Evaluation.evaluate'`)).toEqual([
      { exception: what === 'run' ? null : error },
    ]);
  });

  it('comes for one run of several that is deleted, and the others go on', async () => {
    const id = await create({ candidates: [{ model: 'small' }, { model: 'large' }], concurrency: 1 });
    const [, large] = (await read(id)).candidates as { evaluation_run_id: string }[];
    gateway.reply = async () => {
      await app.sql('UPDATE calls SET deleted_at = now() WHERE id = $1', [large?.evaluation_run_id]);
      return 'cold';
    };
    await work();
    const job = await read(id);
    expect(job).toMatchObject({ status: 'done', candidates: [{ answers: { done: 3 }, scores: { done: 3 } }, {}] });
    expect(job.candidates[1].answers.done).toBeLessThanOrEqual(1);
    expect(gateway.asked.filter(({ body }) => body.model === 'large').length).toBeLessThanOrEqual(1);
    expect(
      await app.sql('SELECT id FROM calls WHERE trace_id = $1 AND parent_id IS NOT NULL', [large?.evaluation_run_id]),
    ).toEqual([]);
  });

  it('keeps counts that lists read without cells, and deletes these after a month', async () => {
    const [id, later] = [await create(), await create({ seed: 1 })];
    await work();
    const list = async () => (await client.get(`${RUNS}?project_id=${encodeURIComponent(PROJECT)}`)).json();
    const before = await list();
    expect(await app.sql('SELECT id FROM evaluation_jobs WHERE counts IS NULL')).toEqual([]);
    await app.sql(`UPDATE evaluation_jobs SET finished_at = now() - interval '29 days' WHERE id = $1`, [later]);
    await app.sql(`UPDATE evaluation_jobs SET counts = NULL, finished_at = now() - interval '31 days' WHERE id = $1`, [
      id,
    ]);
    await app.app.get(CellCostsJob).run();
    await app.app.get(CellCostsJob).run();
    expect(await app.sql('SELECT DISTINCT job_id AS id FROM evaluation_cells')).toEqual([{ id: later }]);
    const after = await list();
    const withoutEnd = ({ runs }: { runs: object[] }) => runs.map((run) => ({ ...run, finished_at: null }));
    expect(withoutEnd(after)).toEqual(withoutEnd(before));
    expect(await app.sql(`SELECT id FROM calls WHERE op_name = 'Model.predict'`)).toHaveLength(6);
  });

  it('counts again what cost more than was known when it came', async () => {
    gateway.reply = ({ requestId }) => (requestId.endsWith('.1.0') ? { cut: true } : 'cold');
    const id = await create();
    await work();
    await app.sql(`UPDATE evaluation_cells SET available_at = now() - interval '1 second' WHERE state = 'pending'`);
    await work();
    expect(await read(id)).toMatchObject({ status: 'done', candidates: [{ cost_usd: 0.003 }] });
    await project.addUsage(gateway.asked.map(({ requestId }) => requestId));
    await project.hurryCosts();
    await app.app.get(CellCostsJob).run();
    expect(await read(id)).toMatchObject({ cost_usd: 0.006, candidates: [{ cost_usd: 0.006 }] });
  });

  it('comes again where what failed is tried once more, alone', async () => {
    await project.addScorer('polite', {
      kind: 'llm',
      llm: { model: 'judge', messages: [{ role: 'user', content: '{{output}}' }], tags: [{ name: 'polite' }] },
    });
    gateway.reply = ({ body }) => {
      if (body.model === 'judge') return { status: 400, code: 'refused' };
      return body.messages[0]?.content.includes('hot') ? { status: 404, code: 'model_not_found' } : 'cold';
    };
    const id = await create({ scorers: ['cold', 'polite'] });
    await work();
    expect(await read(id)).toMatchObject({
      ...{ status: 'done', cost_usd: 0.002 },
      candidates: [{ answers: { done: 2, failed: 1 }, scores: { done: 2, failed: 2 } }],
    });
    const asked = gateway.asked.length;
    const verdict = JSON.stringify({ reason: 'so', polite: true });
    gateway.reply = ({ body }) => (body.model === 'judge' ? verdict : 'cold');
    const { status, json } = await client.post(`${RUNS}/${id}/retry`);
    expect([status, json()]).toMatchObject([200, { status: 'running', finished_at: null, problems: [] }]);
    await work();
    expect(await read(id)).toMatchObject({
      ...{ status: 'done', problems: [], cost_usd: 0.006, finished_at: expect.any(String) },
      candidates: [{ answers: { done: 3, failed: 0 }, scores: { done: 6, failed: 0 } }],
    });
    // One answer, two scores that had failed, and that of the new answer.
    expect(gateway.asked.length - asked).toBe(4);
    const calls = await app.sql<{ op: string; calls: number; failed: number }>(
      `SELECT op_name AS op, count(*)::int AS calls, count(exception)::int AS failed FROM calls GROUP BY 1 ORDER BY 1`,
    );
    expect(calls).toEqual([
      { op: 'Evaluation.evaluate', calls: 1, failed: 0 },
      { op: 'Model.predict', calls: 3, failed: 0 },
      { op: 'Scorer.score', calls: 6, failed: 0 },
    ]);
    const [run] = await app.sql<{ output: object }>(
      `SELECT v.output_text::json AS output FROM calls c JOIN call_values v ON v.project_id = c.project_id AND v.id = c.id
       WHERE c.op_name = 'Evaluation.evaluate'`,
    );
    expect(run?.output).toMatchObject({
      polite: { polite: { true_count: 3 } },
      hone: { answers: { done: 3, failed: 0 }, scores: { done: 6, failed: 0 } },
    });
    // Nothing failed: nothing is done again.
    expect((await client.post(`${RUNS}/${id}/retry`)).json()).toMatchObject({ status: 'done' });
  });

  it('leaves what is retried while it comes, and is not given away by a process that had it before', async () => {
    gateway.reply = () => ({ status: 404, code: 'model_not_found' });
    const id = await create();
    await work();
    const jobs = app.app.get(EvaluationJobsRepository);
    await app.sql('UPDATE evaluation_jobs SET finished_at = NULL');
    const claim = newId();
    const taken = await jobs.takeEnded(id, claim);
    const read = jest.spyOn(jobs, 'takeEnded').mockResolvedValueOnce(taken);
    // Retried after the process that ends it has read it.
    expect((await client.post(`${RUNS}/${id}/retry`)).status).toBe(200);
    await app.app.get(JobEnd).finish(id, new AbortController().signal);
    read.mockRestore();
    const states = await app.sql('SELECT state, count(*)::int AS cells FROM evaluation_cells GROUP BY 1');
    expect(states).toEqual([{ state: 'pending', cells: 3 }]);
    await jobs.setEnd(id, 'done', null);
    expect(await jobs.takeEnded(id, newId())).not.toBeNull();
    await jobs.leaveEnded(id, claim);
    expect(await jobs.takeEnded(id, claim)).toBeNull();
  });

  it.each(['giving up', 'deleting', 'retrying'])('locks cells in the order of their ids for %s', async (what) => {
    gateway.reply = () => ({ status: 404, code: 'model_not_found' });
    const id = await create();
    await work();
    if (what === 'giving up') await app.sql(`UPDATE evaluation_cells SET state = 'pending'`);
    const uids = (await app.sql<{ uid: string }>('SELECT uid FROM evaluation_cells ORDER BY uid')).map(
      ({ uid }) => uid,
    );
    // So that the order in which the table has them is another one.
    for (const uid of [...uids].reverse())
      await app.sql('UPDATE evaluation_cells SET code = code WHERE uid = $1', [uid]);
    const job = (await app.app.get(EvaluationJobsRepository).find(id)) as EvaluationJob;
    const works: Record<string, () => Promise<unknown>> = {
      'giving up': () => app.app.get(CellsRepository).deleteWaiting(id),
      deleting: () => app.app.get(CellsRepository).deleteSome(id),
      retrying: () => app.app.get(EvaluationJobsRepository).retry(job),
    };
    let working: Promise<unknown> = Promise.resolve();
    await app.db.transaction(async () => {
      await app.db.client.$queryRaw`SELECT FROM evaluation_cells WHERE uid = ${uids[0]} FOR UPDATE`;
      await app.db.detached(async () => {
        working = works[what]?.() as Promise<unknown>;
        await until(() => waitsForLock(app.sql), 'the first cell');
        // Fails where one of them is locked already.
        await app.sql('SELECT uid FROM evaluation_cells WHERE uid = ANY($1) FOR UPDATE NOWAIT', [uids.slice(1)]);
      });
    });
    await working;
    const left = await app.sql('SELECT state FROM evaluation_cells');
    expect(left).toEqual(what === 'retrying' ? uids.map(() => ({ state: 'pending' })) : []);
  });

  it('is final where it came early: what failed alone would not complete it', async () => {
    const id = await create();
    await client.post(`${RUNS}/${id}/cancel`);
    const { status, json } = await client.post(`${RUNS}/${id}/retry`);
    expect([status, json().code]).toEqual([409, 'evaluation_job.incomplete']);
  });

  it('is read by an index, a page after the other', async () => {
    const id = await create();
    await work();
    await app.sql(
      `INSERT INTO evaluation_cells (project_id, job_id, candidate, row_digest, row_number, trial, state, settled_at)
       SELECT $1, $2, n % 2, 'row' || n, n, 0, 'done', now() FROM generate_series(10, $3::int) n`,
      [project.rowId, id, MANY],
    );
    await app.sql('ANALYZE evaluation_cells');
    const { text, values } = settledPage(id, 1, { rowDigest: 'row5', trial: 0, scorer: 0 }, 2_000);
    const plan = JSON.stringify(await app.sql(`EXPLAIN (FORMAT JSON) ${text}`, values));
    expect(plan).toContain('evaluation_cells_cell_key');
    expect(plan).not.toContain('"Sort"');
  });
});
