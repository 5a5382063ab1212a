import { contentDigest, type JsonObject } from '@hone/contracts';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const BASE = '/v2/acme/demo';
const MODEL = 'hone:///acme/demo/object/greeter:v0';
const SCORER = 'hone:///acme/demo/object/exact:v0';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const HUGE = 'x'.repeat(3_000_000);

interface Trial {
  prediction_id: string;
  exception: string | null;
  counts: boolean;
  output: unknown;
  scores: Record<string, unknown>;
  score_exceptions: Record<string, unknown>;
}
interface Row {
  row_digest: string;
  inputs: JsonObject;
  evaluations: { evaluation_run_id: string; status: string; trials: Trial[] }[];
}
interface Results {
  rows: Row[];
  total_rows: number;
  summary: { dataset_rows: number | null; predicted: number; failed: number; missing: number | null }[];
}

describe('rows of evaluation runs that failed or are missing', () => {
  let trace: TestApp;
  let client: TestClient;
  let made = 0;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const post = async (path: string, body?: unknown, base = BASE) => {
    const response = await client.post(`${base}/${path}`, body as object | undefined);
    expect([path, response.status, response.text]).toEqual([path, 200, expect.any(String)]);
    return response.json();
  };
  const get = async (path: string) => (await client.get(`${BASE}/${path}`)).json();
  const refused = async (path: string, body: unknown, base = BASE) => {
    const { status, json } = await client.post(`${base}/${path}`, body as object);
    return [status, json().detail[0]?.loc ?? json().code, json().detail[0]?.type];
  };

  /** An evaluation of a dataset of its own, and a run of it. */
  const aRunOf = async (rows: JsonObject[], fields: object = {}) => {
    const name = `rows${made++}`;
    await post('datasets', { name, rows });
    const { evaluation_ref: evaluation } = await post('evaluations', {
      ...{ name: `${name}-evaluation`, dataset: `hone:///acme/demo/object/${name}:v0` },
      ...fields,
    });
    return (await post('evaluation_runs', { evaluation, model: MODEL })).evaluation_run_id as string;
  };
  const predict = async (run: string, inputs: JsonObject, fields: object = { output: 'y' }) =>
    (await post('predictions', { model: MODEL, evaluation_run_id: run, inputs, ...fields })).prediction_id as string;
  const score = (prediction_id: string, fields: object) => post('scores', { prediction_id, scorer: SCORER, ...fields });
  const results = (runs: string[], fields: object = {}): Promise<Results> =>
    post('eval_results/query', { evaluation_run_ids: runs, ...fields });
  const toRerun = { filter: { statuses: ['failed', 'missing'] } };
  const someRows = (count: number) => Array.from({ length: count }, (_, n) => ({ n, q: `q${n}` }));

  it('a prediction may be stored with an exception instead of an output', async () => {
    const run = await aRunOf(someRows(1));
    const id = await predict(run, { n: 0, q: 'q0' }, { exception: 'TimeoutError: 30 s' });
    expect(await get(`predictions/${id}`)).toMatchObject({ output: null, exception: 'TimeoutError: 30 s' });
    const { call } = (await client.post('/call/read', { project_id: PROJECT, id })).json();
    expect(call).toMatchObject({ exception: 'TimeoutError: 30 s', summary: { hone: { status: 'error' } } });
  });

  it('a prediction may fail when it is finished, and after', async () => {
    const run = await aRunOf(someRows(1));
    const id = await predict(run, { n: 0, q: 'q0' });
    await post(`predictions/${id}/finish`);
    const { finished_at } = await get(`predictions/${id}`);
    expect(finished_at).toEqual(TIME);
    await post(`predictions/${id}/finish`, { exception: 'too late' });
    expect(await get(`predictions/${id}`)).toMatchObject({ exception: 'too late', finished_at });
    await post(`predictions/${id}/finish`, {});
    expect(await get(`predictions/${id}`)).toMatchObject({ exception: 'too late', finished_at });
  });

  it('a failed prediction is a failure below its run', async () => {
    const run = await aRunOf(someRows(2));
    const id = await predict(run, { n: 0, q: 'q0' });
    await post(`predictions/${id}/finish`, { exception: 'no' });
    await post(`evaluation_runs/${run}/finish`, {});
    const { call } = (await client.post('/call/read', { project_id: PROJECT, id: run })).json();
    expect(call.summary.hone.status).toBe('descendant_error');
    expect((await get(`evaluation_runs/${run}`)).status).toBe('success');
  });

  it('a scorer may fail, and its row is predicted all the same', async () => {
    const run = await aRunOf(someRows(1));
    const id = await predict(run, { n: 0, q: 'q0' });
    const { score_id } = await score(id, { exception: 'judge is down' });
    expect(await get(`scores/${score_id}`)).toMatchObject({ value: null, exception: 'judge is down' });
    const trial = async () => (await results([run])).rows[0]?.evaluations[0]?.trials[0];
    expect(await trial()).toMatchObject({ scores: { exact: null }, score_exceptions: { exact: 'judge is down' } });
    expect((await results([run])).summary[0]).toMatchObject({ predicted: 1, failed: 0 });
    await score(id, { value: true });
    expect(await trial()).toMatchObject({ scores: { exact: true }, score_exceptions: {} });
  });

  it('a run that fails takes its open predictions along, and may succeed later', async () => {
    const run = await aRunOf(someRows(3));
    const ended = await predict(run, { n: 0, q: 'q0' });
    await post(`predictions/${ended}/finish`);
    const open = await predict(run, { n: 1, q: 'q1' });
    await post(`evaluation_runs/${run}/finish`, { exception: 'out of memory', summary: { rows: 2 } });
    expect(await get(`evaluation_runs/${run}`)).toMatchObject({
      ...{ status: 'error', exception: 'out of memory', summary: { rows: 2 }, finished_at: TIME },
    });
    expect(await get(`predictions/${open}`)).toMatchObject({
      exception: 'The evaluation run failed.',
      finished_at: TIME,
    });
    expect((await get(`predictions/${ended}`)).exception).toBeNull();
    expect((await results([run])).summary[0]).toMatchObject({ predicted: 1, failed: 1, missing: 1 });
    await predict(run, { n: 1, q: 'q1' });
    await post(`evaluation_runs/${run}/finish`, {});
    expect(await get(`evaluation_runs/${run}`)).toMatchObject({ status: 'success', exception: null });
    expect((await results([run])).summary[0]).toMatchObject({ predicted: 2, failed: 0, missing: 1 });
  });

  it('are exactly those to predict again, and the newest prediction of a row counts', async () => {
    const rows = someRows(6);
    const run = await aRunOf(rows);
    for (const row of rows.slice(0, 2)) await predict(run, row);
    for (const row of rows.slice(2, 4)) await predict(run, row, { exception: 'rate limit' });
    const before = await results([run], toRerun);
    expect(before.summary).toEqual([{ evaluation_run_id: run, dataset_rows: 6, predicted: 2, failed: 2, missing: 2 }]);
    expect(before.total_rows).toBe(4);
    expect(before.rows.map(({ inputs }) => inputs['n']).sort()).toEqual([2, 3, 4, 5]);
    for (const { inputs, row_digest } of before.rows) await predict(run, inputs, { output: 'again', row_digest });
    expect(await results([run], toRerun)).toEqual({
      ...{ rows: [], total_rows: 0 },
      summary: [{ evaluation_run_id: run, dataset_rows: 6, predicted: 6, failed: 0, missing: 0 }],
    });
    const [again] = (await results([run], { filter: { row_digests: [contentDigest({ n: 2, q: 'q2' })] } })).rows;
    expect(again?.evaluations[0]?.trials.map(({ exception, counts }) => [exception, counts])).toEqual([
      ['rate limit', false],
      [null, true],
    ]);
    // The newest counts, also where it is the one that failed.
    await predict(run, rows[0] as JsonObject, { exception: 'worse' });
    expect((await results([run])).summary[0]).toMatchObject({ predicted: 5, failed: 1 });
  });

  it('missing rows are listed where they are asked for, with their values, in pages', async () => {
    const rows = someRows(250);
    const run = await aRunOf(rows);
    await predict(run, rows[7] as JsonObject);
    expect((await results([run])).rows).toHaveLength(1);
    const missing = { filter: { statuses: ['missing'] } };
    const seen: unknown[] = [];
    for (let offset = 0; offset < 249; offset += 100) {
      const page = await results([run], { ...missing, limit: 100, offset });
      expect(page.total_rows).toBe(249);
      for (const { inputs, evaluations } of page.rows) {
        expect(evaluations).toEqual([{ evaluation_run_id: run, status: 'missing', trials: [] }]);
        seen.push(inputs['n']);
      }
    }
    expect(seen.sort((a, b) => Number(a) - Number(b))).toEqual(rows.map(({ n }) => n).filter((n) => n !== 7));
    expect((await results([run], { ...missing, limit: 0 })).total_rows).toBe(249);
  });

  it('a row counts once, however often the dataset has it', async () => {
    const run = await aRunOf([{ n: 1 }, { n: 1 }, { n: 2 }]);
    expect((await results([run])).summary[0]).toMatchObject({ dataset_rows: 2, missing: 2 });
    await predict(run, { n: 1 });
    expect((await results([run])).summary[0]).toMatchObject({ predicted: 1, missing: 1 });
  });

  it('a prediction names its row by the digest where its inputs are a part of it', async () => {
    const row = { q: '2+2', a: '4' };
    const run = await aRunOf([row]);
    await predict(run, { q: '2+2' }, { output: '4', row_digest: contentDigest(row) });
    expect((await results([run])).summary[0]).toMatchObject({ predicted: 1, missing: 0 });
  });

  it('of an evaluation with trials as many predictions count, and a failed one is replaced first', async () => {
    const run = await aRunOf([{ n: 1 }], { trials: 2 });
    await predict(run, { n: 1 }, { exception: 'no' });
    await predict(run, { n: 1 }, { output: 'a' });
    expect((await results([run])).summary[0]).toMatchObject({ predicted: 0, failed: 1 });
    await predict(run, { n: 1 }, { output: 'b' });
    const { rows, summary } = await results([run]);
    expect(summary[0]).toMatchObject({ predicted: 1, failed: 0 });
    expect(rows[0]?.evaluations[0]?.trials.map(({ counts }) => counts)).toEqual([false, true, true]);
  });

  it('scores of what failed, or was replaced, sort no row', async () => {
    const rows = someRows(2);
    const run = await aRunOf(rows);
    const [first = {}, second = {}] = rows as JsonObject[];
    await score(await predict(run, first), { value: 9 });
    await score(await predict(run, first), { value: 1 });
    await score(await predict(run, second, { exception: 'no', output: null }), { value: 0 });
    const sort_by = [{ field: 'scores.exact', direction: 'asc' }];
    expect((await results([run], { sort_by })).rows.map(({ inputs }) => inputs['n'])).toEqual([0, 1]);
    await score(await predict(run, second), { value: 5 });
    expect((await results([run], { sort_by })).rows.map(({ inputs }) => inputs['n'])).toEqual([0, 1]);
  });

  it('runs of one dataset are compared with what each of them misses', async () => {
    const rows = someRows(3);
    const first = await aRunOf(rows);
    const { evaluation } = await get(`evaluation_runs/${first}`);
    const second = (await post('evaluation_runs', { evaluation, model: MODEL })).evaluation_run_id as string;
    for (const row of rows) await predict(first, row);
    await predict(second, rows[0] as JsonObject);
    const { rows: found, summary } = await results([first, second], { filter: { statuses: ['missing'] } });
    expect(found).toHaveLength(2);
    for (const { evaluations } of found)
      expect(evaluations.map(({ status }) => status)).toEqual(['predicted', 'missing']);
    expect(summary.map(({ missing }) => missing)).toEqual([0, 2]);
  });

  it('nobody knows what is missing where the evaluation or its dataset is not there', async () => {
    const run = await aRunOf(someRows(2));
    await client.delete(`${BASE}/datasets/rows${made - 1}`);
    const unknown = { dataset_rows: null, predicted: 0, failed: 0, missing: null };
    expect((await results([run, 'none'], toRerun)).summary).toEqual([
      { evaluation_run_id: run, ...unknown },
      { evaluation_run_id: 'none', ...unknown },
    ]);
  });

  it('a dataset that the caller may not read stays hidden', async () => {
    const admin = trace.as(await trace.user('root', { isAdmin: true }));
    await admin.post('/v2/globex/secret/datasets', { name: 'hidden', rows: [{ secret: 1 }] });
    const { evaluation_ref: evaluation } = await post('evaluations', {
      ...{ name: 'spy', dataset: 'hone:///globex/secret/object/hidden:v0' },
    });
    const { evaluation_run_id: run } = await post('evaluation_runs', { evaluation, model: MODEL });
    const found = await results([run], toRerun);
    expect(found).toMatchObject({ rows: [], summary: [{ dataset_rows: null, missing: null }] });
    const hidden = await admin.post('/v2/globex/secret/predictions', { model: MODEL, inputs: {}, exception: 'x' });
    const finish = `predictions/${hidden.json().prediction_id}/finish`;
    expect(await refused(finish, { exception: 'mine' })).toEqual([404, 'call.not_found', undefined]);
    expect(await refused(finish, { exception: 'mine' }, '/v2/globex/secret')).toEqual([
      403,
      'access.denied',
      undefined,
    ]);
  });

  it('a row of a Weave evaluation whose model raised has its exception', async () => {
    const at = (id: string, parent_id: string, op: string, fields: object) =>
      aWholeCall(id, { ...{ parent_id, trace_id: 'weave' }, op_name: `hone:///acme/demo/op/${op}:v0`, ...fields });
    const trial = (id: string, n: number, output: object) =>
      at(id, 'weave', 'Evaluation.predict_and_score', { inputs: { example: { n } }, output });
    const failed = { output: null, scores: {}, model_latency: 0.1 };
    const answered = { output: 'y', scores: {}, model_latency: null };
    const isScore = { attributes: { _weave_eval_meta: { imperative: true, score: true } } };
    const isAsked = { inputs: { self: SCORER, output: 'y', inputs: { n: 4 } } };
    const batch = [
      // `Evaluation` catches what the model raises.
      trial('w1', 1, failed),
      at('w1-model', 'w1', 'answers', { output: null, exception: 'ValueError: no luck' }),
      // What a scorer raises ends the trial itself.
      { ...trial('w2', 2, failed), exception: 'KeyError: a' },
      // `EvaluationLogger` ends the prediction without what was raised in it.
      trial('w3', 3, failed),
      at('w3-model', 'w3', 'Model.predict', { output: null }),
      at('w3-call', 'w3-model', 'openai.chat', { output: null, exception: 'Timeout: 30 s' }),
      // A scorer that failed, and a call that failed on the way to an answer, are no failed rows.
      trial('w4', 4, answered),
      at('w4-score', 'w4', 'judge', { output: null, exception: 'judge is down', ...isScore }),
      at('w4-other', 'w4', 'other', { output: null, exception: 'so is this one', ...isAsked }),
      at('w4-model', 'w4', 'Model.predict', { output: 'y' }),
      at('w4-call', 'w4-model', 'openai.chat', { output: null, exception: 'first try' }),
    ];
    await post('calls/complete', { batch });
    const { rows, summary } = await results(['weave'], { sort_by: [{ field: 'inputs.n', direction: 'asc' }] });
    const trials = rows.map(({ evaluations }) => evaluations[0]?.trials[0] as Trial);
    expect(trials.map(({ exception }) => exception)).toEqual([
      ...['ValueError: no luck', 'KeyError: a', 'Timeout: 30 s', null],
    ]);
    expect(trials[3]?.score_exceptions).toEqual({ judge: 'judge is down', other: 'so is this one' });
    expect(summary).toEqual([
      { evaluation_run_id: 'weave', dataset_rows: null, predicted: 1, failed: 3, missing: null },
    ]);
  });

  it('a Weave evaluation misses the rows of its dataset that no prediction names', async () => {
    const rows = someRows(3);
    const dataset = await post('datasets', { name: 'weave-rows', rows });
    const { evaluation_ref: self } = await post('evaluations', {
      name: 'weave-eval',
      dataset: dataset.dataset_ref ?? 'hone:///acme/demo/object/weave-rows:v0',
    });
    const ref = `hone:///acme/demo/object/weave-rows:v0/attr/rows/id/${contentDigest({ n: 0, q: 'q0' })}`;
    const op_name = (name: string) => `hone:///acme/demo/op/Evaluation.${name}:v0`;
    const trial = (id: string, parent_id: string, example: unknown) =>
      aWholeCall(id, { parent_id, op_name: op_name('predict_and_score'), inputs: { self, example }, output: {} });
    const batch = [
      aWholeCall('named-run', { op_name: op_name('evaluate'), inputs: { self, model: MODEL } }),
      trial('named-trial', 'named-run', ref),
      aWholeCall('whole-run', { op_name: op_name('evaluate'), inputs: { self, model: MODEL } }),
      trial('whole-trial', 'whole-run', { q: 'q0' }),
      aWholeCall('logger-run', {
        ...{ op_name: op_name('evaluate'), inputs: { self, model: MODEL } },
        attributes: { _weave_eval_meta: { imperative: true } },
      }),
    ];
    await post('calls/complete', { batch });
    const { summary } = await results(['named-run', 'whole-run', 'logger-run'], toRerun);
    expect(summary).toMatchObject([
      { dataset_rows: 3, predicted: 1, missing: 2 },
      // What its predictions name is no row of the dataset.
      { dataset_rows: 3, predicted: 1, missing: null },
      { dataset_rows: null, predicted: 0, missing: null },
    ]);
  });

  it('refuse what is wrong', async () => {
    const prediction = { model: MODEL, inputs: {} };
    const id = await predict(await aRunOf([{ n: 1 }]), { n: 1 });
    for (const [path, body, loc, type] of [
      ['predictions', prediction, 'output', 'missing'],
      ['predictions', { ...prediction, exception: null }, 'output', 'missing'],
      ['predictions', { ...prediction, exception: 7 }, 'exception', 'string_type'],
      ['predictions', { ...prediction, exception: { a: 1 } }, 'exception', 'string_type'],
      ['predictions', { ...prediction, exception: 'a\0b' }, 'exception', 'string_unicode'],
      ['predictions', { ...prediction, output: 1, row_digest: '' }, 'row_digest', 'string_too_short'],
      ['scores', { prediction_id: id, scorer: SCORER }, 'value', 'missing'],
      ['scores', { prediction_id: id, scorer: SCORER, exception: [] }, 'exception', 'string_type'],
      [`predictions/${id}/finish`, { exception: false }, 'exception', 'string_type'],
      [`predictions/${id}/finish`, { output: 1 }, 'output', 'extra_forbidden'],
      ['evaluation_runs/none/finish', { exception: 1 }, 'exception', 'string_type'],
      ['evaluation_runs/none/finish', { failed: true }, 'failed', 'extra_forbidden'],
    ] as const)
      expect([path, ...(await refused(path, body))]).toEqual([path, 422, ['body', loc], type]);
    const statuses = { evaluation_run_ids: ['r'], filter: { statuses: ['lost'] } };
    expect(await refused('eval_results/query', statuses)).toEqual([422, ['body', 'filter', 'statuses', 0], 'enum']);
    expect((await get(`predictions/${id}`)).exception).toBeNull();
  });

  it('an exception may be as long as a body, like that of any call', async () => {
    const id = await predict(await aRunOf([{ n: 1 }]), { n: 1 }, { exception: HUGE });
    expect((await get(`predictions/${id}`)).exception).toHaveLength(HUGE.length);
    const tooLong = JSON.stringify({ exception: 'x'.repeat(34_000_000) });
    expect((await client.post(`${BASE}/predictions/${id}/finish`, tooLong)).status).toBe(413);
  });
});
