import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const BASE = '/v2/acme/demo';
const EVALUATION = 'hone:///acme/demo/object/smoke:v0';
const MODEL = 'hone:///acme/demo/object/greeter:v0';
const SCORER = 'hone:///acme/demo/object/exact:v0';
const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]+$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

const linesOf = ({ status, headers, text }: TestResponse) => {
  expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};

describe('evaluation runs, predictions and scores', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const made = async (path: string, body: object, key: string): Promise<string> => {
    const response = await client.post(`${BASE}/${path}`, body);
    expect([response.status, response.json()]).toEqual([200, { [key]: ID }]);
    return response.json()[key];
  };
  const aRun = (evaluation = EVALUATION, model = MODEL) =>
    made('evaluation_runs', { evaluation, model }, 'evaluation_run_id');
  const aPrediction = (fields: object = {}) =>
    made('predictions', { model: MODEL, inputs: { q: '2+2' }, output: '4', ...fields }, 'prediction_id');
  const aScore = (prediction_id: string, fields: object = {}) =>
    made('scores', { prediction_id, scorer: SCORER, value: true, ...fields }, 'score_id');
  const get = async (path: string) => (await client.get(`${BASE}/${path}`)).json();

  it('a run is running until it is finished, and then has its summary, numbers as they were sent', async () => {
    const id = await aRun('x-y:///acme/demo/object/smoke:v0');
    const run = { evaluation_run_id: id, evaluation: EVALUATION, model: MODEL, started_at: TIME };
    const open = {
      ...run,
      status: 'running',
      exception: null,
      finished_at: null,
      summary: null,
      svc_user_id: trace.writer.id,
    };
    expect(await get(`evaluation_runs/${id}`)).toEqual(open);
    const finished = await client.post(`${BASE}/evaluation_runs/${id}/finish`, '{"summary":{"exact":{"mean":1.0}}}');
    expect([finished.status, finished.json()]).toEqual([200, { success: true }]);
    const { text } = await client.get(`${BASE}/evaluation_runs/${id}`);
    expect(JSON.parse(text)).toEqual({
      ...open,
      status: 'success',
      finished_at: TIME,
      summary: { exact: { mean: 1 } },
    });
    expect(text).toContain('"mean":1.0');
  });

  it('are calls of one trace, told by attributes.hone.kind', async () => {
    const run = await aRun();
    const prediction = await aPrediction({ evaluation_run_id: run });
    const score = await aScore(prediction);
    const body = { project_id: PROJECT, filter: { trace_ids: [run] }, columns: ['parent_id', 'attributes.hone.kind'] };
    const calls = linesOf(await client.post('/calls/stream_query', body));
    expect(calls.map((call) => [call.id, call.parent_id, call['attributes.hone.kind']])).toEqual([
      [run, null, 'evaluation_run'],
      [prediction, run, 'prediction'],
      [score, prediction, 'score'],
    ]);
  });

  it('a prediction of a run has its output at once, and is open until it or the run is finished', async () => {
    const run = await aRun();
    const [first, second] = [
      await aPrediction({ evaluation_run_id: run }),
      await aPrediction({ evaluation_run_id: run }),
    ];
    const prediction = { model: MODEL, inputs: { q: '2+2' }, output: '4', evaluation_run_id: run, started_at: TIME };
    const open = { ...prediction, exception: null, finished_at: null, svc_user_id: trace.writer.id };
    expect(await get(`predictions/${first}`)).toEqual({ prediction_id: first, ...open });
    expect((await client.post(`${BASE}/predictions/${first}/finish`)).json()).toEqual({ success: true });
    const { finished_at } = await get(`predictions/${first}`);
    expect(finished_at).toEqual(TIME);
    expect((await get(`predictions/${second}`)).finished_at).toBeNull();
    await client.post(`${BASE}/evaluation_runs/${run}/finish`, {});
    expect((await get(`predictions/${second}`)).finished_at).toEqual(TIME);
    expect((await get(`predictions/${first}`)).finished_at).toBe(finished_at);
  });

  it('a prediction of no run is finished at once, and is the root of a trace of its own', async () => {
    const id = await aPrediction({ output: null });
    expect(await get(`predictions/${id}`)).toMatchObject({ output: null, evaluation_run_id: null, finished_at: TIME });
    const { call } = (await client.post('/call/read', { project_id: PROJECT, id })).json();
    expect(call).toMatchObject({ parent_id: null, trace_id: id, summary: { hone: { status: 'success' } } });
  });

  it('a score belongs to the run of its prediction', async () => {
    const run = await aRun();
    const prediction_id = await aPrediction({ evaluation_run_id: run });
    const id = await aScore(prediction_id, { value: { passed: true }, evaluation_run_id: run });
    expect(await get(`scores/${id}`)).toEqual({
      ...{ score_id: id, prediction_id, scorer: SCORER, value: { passed: true }, evaluation_run_id: run },
      ...{ exception: null, created_at: TIME, svc_user_id: trace.writer.id },
    });
    const other = await aRun();
    const wrong = await client.post(`${BASE}/scores`, {
      prediction_id,
      scorer: SCORER,
      value: 1,
      evaluation_run_id: other,
    });
    expect(wrong.json()).toEqual({
      detail: [
        {
          loc: ['body', 'evaluation_run_id'],
          msg: 'Input should be the evaluation run of the prediction',
          type: 'value_error',
        },
      ],
    });
    expect(wrong.status).toBe(422);
  });

  it('lists hold what their filters say, oldest first, in pages', async () => {
    const [evaluation, model] = ['hone:///acme/demo/object/lists:v0', 'hone:///acme/demo/op/fast:v1'];
    const runs = [await aRun(evaluation), await aRun(evaluation, model), await aRun(EVALUATION, model)];
    const predictions: string[] = [];
    const scores: string[] = [];
    for (const run of runs.slice(0, 2))
      for (let at = 0; at < 2; at++) {
        predictions.push(await aPrediction({ evaluation_run_id: run }));
        scores.push(await aScore(predictions.at(-1) as string));
      }
    const ids = async (kind: string, query: Record<string, string | string[]>) => {
      const params = new URLSearchParams();
      for (const [name, values] of Object.entries(query)) for (const one of [values].flat()) params.append(name, one);
      const lines = linesOf(await client.get(`${BASE}/${kind}?${params}`));
      return lines.map((line) => line[`${kind.slice(0, -1)}_id`]);
    };
    expect(await ids('evaluation_runs', { evaluations: evaluation })).toEqual(runs.slice(0, 2));
    expect(await ids('evaluation_runs', { evaluations: 'other:///acme/demo/object/lists:v0' })).toEqual(
      runs.slice(0, 2),
    );
    expect(await ids('evaluation_runs', { models: model })).toEqual(runs.slice(1));
    expect(await ids('evaluation_runs', { evaluations: evaluation, models: model })).toEqual([runs[1]]);
    // A ref of the other role matches nothing.
    expect(await ids('evaluation_runs', { models: evaluation })).toEqual([]);
    expect(await ids('evaluation_runs', { evaluation_run_ids: [runs[2] as string, 'none'] })).toEqual([runs[2]]);
    expect(await ids('evaluation_runs', { evaluations: evaluation, limit: '1', offset: '1' })).toEqual([runs[1]]);
    expect(await ids('predictions', { evaluation_run_id: runs[0] as string })).toEqual(predictions.slice(0, 2));
    expect(await ids('scores', { evaluation_run_id: runs[1] as string })).toEqual(scores.slice(2));
    expect(await ids('scores', { evaluation_run_id: runs[1] as string, limit: '1' })).toEqual(scores.slice(2, 3));
    expect(await ids('predictions', { evaluation_run_id: 'none' })).toEqual([]);
    expect(await ids('predictions', {})).toEqual(expect.arrayContaining(predictions));
    expect((await client.get('/v2/acme/nowhere/evaluation_runs')).text).toBe('');
  });

  it('deletes those that are named with all that belongs to them, and counts them alone', async () => {
    const run = await aRun();
    const prediction = await aPrediction({ evaluation_run_id: run });
    const score = await aScore(prediction);
    // Ids of other kinds, of ordinary calls and of nothing are no runs.
    await client.post(`${BASE}/calls/complete`, { batch: [aWholeCall('ordinary')] });
    const remove = async (query: string) => (await client.delete(`${BASE}/${query}`)).json();
    const mixed = `evaluation_runs?evaluation_run_ids=${prediction}&evaluation_run_ids=ordinary&evaluation_run_ids=none`;
    expect(await remove(mixed)).toEqual({ num_deleted: 0 });
    expect(await remove(`evaluation_runs?evaluation_run_ids=${run}&evaluation_run_ids=${run}`)).toEqual({
      num_deleted: 1,
    });
    for (const path of [`evaluation_runs/${run}`, `predictions/${prediction}`, `scores/${score}`])
      expect(await get(path)).toMatchObject({ code: 'call.not_found' });
    expect(await remove(`evaluation_runs?evaluation_run_ids=${run}`)).toEqual({ num_deleted: 0 });
    const alone = await aPrediction();
    expect(await remove(`scores?score_ids=${await aScore(alone)}`)).toEqual({ num_deleted: 1 });
    expect(await remove(`predictions?prediction_ids=${alone}`)).toEqual({ num_deleted: 1 });
    const { call } = (await client.post('/call/read', { project_id: PROJECT, id: 'ordinary' })).json();
    expect(call.id).toBe('ordinary');
  });

  it('never deletes all: a selection that names nothing is a 422', async () => {
    for (const [query, type] of [
      ['', 'missing'],
      ['?evaluation_run_ids=', 'string_pattern_mismatch'],
      ['?ids=a', 'missing'],
      [`?${Array.from({ length: 101 }, (_, n) => `evaluation_run_ids=r${n}`).join('&')}`, 'too_many'],
    ]) {
      const { status, json } = await client.delete(`${BASE}/evaluation_runs${query}`);
      expect([query, status, json().detail[0]]).toMatchObject([query, 422, { type }]);
    }
  });

  it('what is not there, or is of another kind, is a 404 that makes no project', async () => {
    const prediction = await aPrediction();
    const notFound = (noun: string, id: string) => ({
      detail: `There is no ${noun} '${id}' in 'acme/demo'.`,
      code: 'call.not_found',
    });
    expect(await get(`evaluation_runs/${prediction}`)).toEqual(notFound('evaluation run', prediction));
    const body = { model: MODEL, inputs: {}, output: 1, evaluation_run_id: prediction };
    expect((await client.post(`${BASE}/predictions`, body)).json()).toEqual(notFound('evaluation run', prediction));
    const score = { prediction_id: 'none', scorer: SCORER, value: 1 };
    expect((await client.post(`${BASE}/scores`, score)).json()).toEqual(notFound('prediction', 'none'));
    expect((await client.post(`${BASE}/evaluation_runs/none/finish`, {})).json().code).toBe('call.not_found');
    for (const [path, sent] of [['predictions', body] as const, ['scores', score] as const]) {
      const { status, json } = await client.post(`/v2/acme/nowhere/${path}`, sent);
      expect([status, json().code]).toEqual([404, 'project.not_found']);
    }
    expect(await trace.sql(`SELECT 1 FROM projects WHERE name = 'nowhere'`)).toEqual([]);
  });

  it('never reach another project', async () => {
    const admin = trace.as(await trace.user('root', { isAdmin: true }));
    const hidden = async (kind: string, body: object): Promise<string> =>
      (await admin.post(`/v2/globex/secret/${kind}s`, body)).json()[`${kind}_id`];
    const run = await hidden('evaluation_run', { evaluation: EVALUATION, model: MODEL });
    const answer = { model: MODEL, inputs: {}, output: 1 };
    const prediction = await hidden('prediction', { ...answer, evaluation_run_id: run });
    const score = await hidden('score', { prediction_id: prediction, scorer: SCORER, value: 1 });
    for (const [kind, id] of Object.entries({ evaluation_run: run, prediction, score })) {
      expect([kind, (await get(`${kind}s/${id}`)).code]).toEqual([kind, 'call.not_found']);
      const deleted = await client.delete(`${BASE}/${kind}s?${kind}_ids=${id}`);
      expect(deleted.json()).toEqual({ num_deleted: 0 });
      expect((await admin.get(`/v2/globex/secret/${kind}s/${id}`)).status).toBe(200);
    }
    const refused = [
      await client.post(`${BASE}/predictions`, { ...answer, evaluation_run_id: run }),
      await client.post(`${BASE}/scores`, { prediction_id: prediction, scorer: SCORER, value: 1 }),
      await client.post(`${BASE}/evaluation_runs/${run}/finish`, {}),
      await client.post(`${BASE}/predictions/${prediction}/finish`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    for (const list of ['predictions', 'scores'])
      expect((await client.get(`${BASE}/${list}?evaluation_run_id=${run}`)).text).toBe('');
    const results = await client.post(`${BASE}/eval_results/query`, { evaluation_run_ids: [run] });
    expect(results.json()).toEqual({
      ...{ rows: [], total_rows: 0 },
      summary: [{ evaluation_run_id: run, dataset_rows: null, predicted: 0, failed: 0, missing: null }],
    });
  });

  it('bear odd ids and refs in their lists', async () => {
    for (const odd of ['%25', '*', "'; DROP TABLE calls; --", '__proto__', '\u{1f600}', 'a'.repeat(300)])
      for (const query of ['evaluation_runs?evaluations', 'evaluation_runs?models', 'predictions?evaluation_run_id'])
        expect((await client.get(`${BASE}/${query}=${encodeURIComponent(odd)}`)).text).toBe('');
    for (const query of [
      'predictions?evaluation_run_id=%00',
      'evaluation_runs?models=',
      'scores?limit=-1',
      'scores?a=1',
    ])
      expect((await client.get(`${BASE}/${query}`)).status).toBe(422);
  });

  it('shows calls that a client stored as such, whatever their attributes lack', async () => {
    const odd = (id: string, op_name: string, kind: string, fields: object = {}) =>
      aWholeCall(id, { op_name, attributes: { hone: { kind } }, ...fields });
    const batch = [
      odd('odd-run', 'Evaluation.evaluate', 'evaluation_run', { output: [1] }),
      odd('odd-prediction', 'Model.predict', 'prediction'),
      odd('odd-score', 'Scorer.score', 'score'),
      aWholeCall('no-run', { op_name: 'Evaluation.evaluate', attributes: { hone: 'evaluation_run' } }),
    ];
    expect((await client.post(`${BASE}/calls/complete`, { batch })).status).toBe(200);
    expect(await get('evaluation_runs/odd-run')).toMatchObject({ evaluation: null, model: null, summary: null });
    expect(await get('predictions/odd-prediction')).toMatchObject({ model: null, inputs: { q: '2+2' }, output: '4' });
    expect(await get('scores/odd-score')).toMatchObject({ prediction_id: null, scorer: null, value: '4' });
    expect(linesOf(await client.get(`${BASE}/evaluation_runs`)).map((run) => run.evaluation_run_id)).not.toContain(
      'no-run',
    );
  });

  it('makes one record of a request that is sent again with its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'k1' };
    const body = { evaluation: EVALUATION, model: MODEL };
    const [first, second] = [
      await client.post(`${BASE}/evaluation_runs`, body, { headers }),
      await client.post(`${BASE}/evaluation_runs`, body, { headers }),
    ];
    expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
    expect((await get(`evaluation_runs/${first.json().evaluation_run_id}`)).status).toBe('running');
  });
});
