import { newId } from '@hone/database';
import { until } from '@hone/testing';
import { jest } from '@jest/globals';

import { EvaluationRuns } from '../testing/evaluation-runs.fixture.js';
import { PROJECT } from '../testing/judged-project.fixture.js';
import { ComparedRunsRepository } from './compared-runs.repository.js';
import { ComparisonThreads } from './comparison-threads.js';
import { Comparisons, metricOf } from './comparisons.fixture.js';

const PATH = '/evaluation/compare';
const OTHER = 'acme/other';
const times = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_none, n) => of(n));
/** As many scores for each of so many rows. */
const withScores = (rows: number, scores: number) =>
  times(rows, (n) => ({ inputs: { n }, scores: Object.fromEntries(times(scores, (at) => [`s${at}`, (n * at) % 5])) }));

describe('comparisons of runs refuse', () => {
  const comparisons = new Comparisons();
  const { compare, refusal } = comparisons;
  let ids: string[];
  beforeAll(() => comparisons.start());
  beforeEach(async () => {
    await comparisons.reset();
    const rows = times(7, (n) => ({ inputs: { n }, scores: { s: n, 'a.b': { c: n }, note: 'x' } }));
    ids = [await comparisons.runs.ofServer(rows), await comparisons.runs.ofSdk(rows)];
  });
  afterAll(() => comparisons.app.close());

  it('what is no list of different runs of the project', async () => {
    const [a, b] = ids as [string, string];
    for (const [runs, where] of [
      [undefined, ['runs']],
      [null, ['runs']],
      ['a', ['runs']],
      [[a], ['runs']],
      [times(11, newId), ['runs']],
      [
        [a, 7],
        ['runs', 1],
      ],
      [
        [a, ''],
        ['runs', 1],
      ],
      [
        [a, 'x'.repeat(513)],
        ['runs', 1],
      ],
      [
        [a, 'a\0b'],
        ['runs', 1],
      ],
      [
        [a, b, a],
        ['runs', 2],
      ],
      [
        [a, `hone:///${PROJECT}/call/${a}`],
        ['runs', 1],
      ],
    ] as const)
      expect([runs, ...(await refusal({ runs })).slice(0, 2)]).toEqual([runs, 422, ['body', ...where]]);
    for (const run of [
      'none',
      newId(),
      "'; DROP TABLE calls; --",
      `hone:///${OTHER}/call/${a}`,
      `hone:///${PROJECT}/object/a:v0`,
      'hone:///odd',
      '%',
    ])
      expect([run, ...(await refusal({ runs: [a, run] }))]).toEqual([run, 404, 'comparison.run_not_found']);
    const byRef = await compare([`hone:///${PROJECT}/call/${a}`, `weave:///${PROJECT}/call/${b}`]);
    expect(byRef.runs.map(({ id }) => id)).toEqual([a, b]);
    await comparisons.app.sql('UPDATE calls SET deleted_at = now() WHERE id = $1', [b]);
    expect(await refusal({ runs: ids })).toEqual([404, 'comparison.run_not_found']);
  });

  it('names of no metric, and say which there are', async () => {
    for (const [field, value, loc] of [
      ['metrics', ['scores.s', 'scores.none'], ['metrics', 1]],
      ['metrics', ['s'], ['metrics', 0]],
      ['metrics', ['scores.note'], ['metrics', 0]],
      ['metrics', ['scores.a.b'], ['metrics', 0]],
      ['lower_is_better', ['latency_ms'], ['lower_is_better', 0]],
      ['facts', ['cost_usd'], ['facts', 0]],
      ['margins', { speed: 1 }, ['margins', 'speed']],
      ['widths', { latency_ms: 5 }, ['widths', 'latency_ms']],
      ['truth', [{ metric: 'scores.a', feedback_type: 'f' }], ['truth', 0]],
      ['truth', [{ metric: 'tokens', feedback_type: 'f' }], ['truth', 0]],
    ] as const) {
      const { status, json } = await comparisons.ask({ runs: ids, [field]: value });
      expect([field, value, status, json().detail[0].loc]).toEqual([field, value, 422, ['body', ...loc]]);
      expect(json().detail[0].msg).toContain('scores.s, latency_ms');
    }
    const found = await compare(ids, { metrics: ['scores.a\\.b', 'tokens'], lower_is_better: ['scores.a\\.b'] });
    expect(found.comparisons[0]?.metrics.map(({ metric }) => metric)).toEqual(['scores.a\\.b.c', 'tokens']);
    expect(metricOf(found, 'tokens').pairs).toBe(0);
    expect(metricOf(found, 'scores.a\\.b.c').higher_is_better).toBe(false);
  });

  it('numbers out of their range, and fields that there are not', async () => {
    for (const [field, value, loc = [field]] of [
      ['margins', { latency_ms: -1 }, ['margins', 'latency_ms']],
      ['margins', { latency_ms: 'x' }, ['margins', 'latency_ms']],
      ['margins', { latency_ms: 1e13 }, ['margins', 'latency_ms']],
      ['margins', []],
      ['widths', { 'scores.s': 0 }, ['widths', 'scores.s']],
      ['metrics', times(51, String)],
      ['metrics', [''], ['metrics', 0]],
      ['level', 0.4],
      ['level', 1],
      ['level', 'NaN'],
      ['seed', -1],
      ['seed', 1.5],
      ['seed', 4_294_967_296],
      ['truth', {}],
      ['truth', [{ metric: 'scores.s' }], ['truth', 0, 'feedback_type']],
      ['truth', times(2, () => ({ metric: 'scores.s', feedback_type: 'f' })), ['truth', 1, 'metric']],
      ['other', 1],
    ] as const)
      expect([field, value, ...(await refusal({ runs: ids, [field]: value })).slice(0, 2)]).toEqual([
        ...[field, value, 422],
        ['body', ...loc],
      ]);
    for (const seed of [0, 4_294_967_295]) expect((await compare(ids, { seed, level: 0.9999 })).seed).toBe(seed);
  });

  it('more metrics than fifty, unless the body says which', async () => {
    const fifty = withScores(7, 46);
    const most = [await comparisons.runs.ofServer(fifty), await comparisons.runs.ofSdk(fifty)];
    const found = await compare(most, { metrics: ['scores', 'latency_ms', 'length', 'failed'] });
    expect(found.comparisons[0]?.metrics).toHaveLength(49);
    expect(found.resamples).toBe(10_000);
    const more = withScores(7, 60);
    const tooMany = [await comparisons.runs.ofServer(more), await comparisons.runs.ofSdk(more)];
    expect(await refusal({ runs: tooMany })).toEqual([422, 'comparison.too_large']);
    const named = times(50, (at) => `scores.s${at}`);
    expect((await compare(tooMany, { metrics: named })).comparisons[0]?.metrics).toHaveLength(50);
  });

  it('more work than is done for one request', async () => {
    const many = withScores(7, 50);
    const runs: string[] = [];
    for (let run = 0; run < 3; run++) runs.push(await comparisons.runs.ofServer(many));
    const slices = times(20, (n) => ({ name: `s${n}`, expression: { $literal: true } }));
    const metrics = times(50, (at) => `scores.s${at}`);
    const { status, json } = await comparisons.ask({ runs, slices, metrics });
    expect([status, json().code]).toEqual([422, 'comparison.too_large']);
    expect(json().detail).toContain('2100 comparisons; 2000 is the limit');
    expect((await compare(runs.slice(0, 2), { slices, metrics })).comparisons[0]?.slices).toHaveLength(20);
  });

  it('runs of too many predictions, before these are read', async () => {
    const [a] = ids as [string];
    await comparisons.app.sql(
      `INSERT INTO calls (project_id, id, op_name, trace_id, parent_id, started_at, ended_at, svc_user_id)
       SELECT c.project_id, 'many-' || n, 'Model.predict', c.trace_id, c.id, c.started_at, c.started_at, c.svc_user_id
       FROM calls c, generate_series(1, 100001) n WHERE c.id = $1`,
      [a],
    );
    expect(await refusal({ runs: ids })).toEqual([422, 'comparison.too_large']);
  });

  it('to read anything before it is their turn', async () => {
    const { app } = comparisons.app;
    const [threads, repository] = [app.get(ComparisonThreads), app.get(ComparedRunsRepository)];
    const [turns, reads] = [jest.spyOn(threads, 'run'), jest.spyOn(repository, 'findRuns')];
    let free = (): void => undefined;
    const taken = new Promise<void>((resolve) => (free = resolve));
    const others = [threads.run(() => taken), threads.run(() => taken)];
    const compared = compare(ids);
    await until(() => turns.mock.calls.length === 3);
    const early = reads.mock.calls.length;
    free();
    await Promise.all([...others, compared]);
    expect([early, reads.mock.calls.length]).toEqual([0, 1]);
    jest.restoreAllMocks();
  });

  it('everybody who may not read the project', async () => {
    const { app } = comparisons;
    const other = await EvaluationRuns.of(app, OTHER);
    const foreign = await other.ofServer([{ inputs: { n: 1 }, scores: { secret: 1 } }]);
    const body = { project_id: PROJECT, runs: ids };
    const mallory = app.as(await app.user('mallory', { roles: { globex: 'owner' } }));
    expect((await mallory.post(PATH, body)).status).toBe(403);
    const bound = app.as(await app.user('bob', { roles: { acme: 'owner' }, onlyProject: PROJECT }));
    expect((await bound.post(PATH, body)).status).toBe(200);
    expect((await bound.post(PATH, { project_id: OTHER, runs: ids })).status).toBe(403);
    // A run of another project is none, whoever may read both.
    for (const run of [foreign, `hone:///${OTHER}/call/${foreign}`])
      expect(await refusal({ runs: [ids[0], run] })).toEqual([404, 'comparison.run_not_found']);
    const rita = app.as(await app.user('rita', { roles: { acme: 'reader' } }));
    expect((await rita.post(PATH, body)).status).toBe(200);
  });

  it('to show rows of a dataset that the caller may not read', async () => {
    const { app } = comparisons;
    const hidden = await EvaluationRuns.of(app, 'acme/hidden');
    const rows = times(8, (n) => ({ n, secret: n % 2 }));
    const { ref, rows: names } = await hidden.addEvaluation('eval', rows);
    const of = names.map((inputs) => ({ inputs, scores: { s: 1 } }));
    const runs = times(2, () => comparisons.runs.ofSdk(of, { evaluation: ref }));
    const bound = app.as(await app.user('carol', { roles: { acme: 'owner' }, onlyProject: PROJECT }));
    const slices = [{ name: 'secret', expression: { $eq: [{ $getField: 'inputs.secret' }, { $literal: 1 }] } }];
    const { json } = await bound.post(PATH, { project_id: PROJECT, runs: await Promise.all(runs), slices });
    expect(json().runs).toMatchObject([{ dataset_rows: null }, { dataset_rows: null }]);
    expect(json().comparisons[0].slices[0].rows).toBe(0);
  });
});
