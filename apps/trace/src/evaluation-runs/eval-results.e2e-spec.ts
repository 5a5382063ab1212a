import { contentDigest, type JsonObject } from '@hone/contracts';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aWholeCall } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const BASE = '/v2/acme/demo';
const QUERY = `${BASE}/eval_results/query`;
const MODEL = 'hone:///acme/demo/object/greeter:v0';
const EVALUATION = 'hone:///acme/demo/object/smoke:v0';
const SDK_OP = 'hone:///acme/demo/op/Evaluation.predict_and_score:v0';

interface Trial {
  prediction_id: string;
  output: unknown;
  scores: Record<string, unknown>;
}
interface Row {
  row_digest: string;
  inputs: Record<string, unknown> | string;
  evaluations: { evaluation_run_id: string; trials: Trial[] }[];
}

describe('POST /v2/{entity}/{project}/eval_results/query', () => {
  let trace: TestApp;
  let client: TestClient;
  /** Two runs over the rows 0 to 4, of which the second lacks row 4 and asks row 0 twice. */
  let runs: [string, string];
  const post = async (path: string, body: unknown) => {
    const response = await client.post(`${BASE}/${path}`, body as object);
    expect([path, response.status, response.text]).toEqual([path, 200, expect.any(String)]);
    return response.json();
  };
  const predict = async (run: string, n: number, output: unknown, scores: Record<string, unknown>) => {
    const body = { model: MODEL, inputs: { n, q: `q${n}` }, output, evaluation_run_id: run };
    const { prediction_id } = await post('predictions', body);
    for (const [name, value] of Object.entries(scores))
      await post('scores', { prediction_id, scorer: `hone:///acme/demo/object/${name}:v0`, value });
    return prediction_id as string;
  };
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    const aRun = async () =>
      (await post('evaluation_runs', { evaluation: EVALUATION, model: MODEL })).evaluation_run_id;
    runs = [await aRun(), await aRun()];
    for (let n = 0; n < 5; n++) await predict(runs[0], n, `a${n}`, { exact: n % 2 === 0, grade: { points: n } });
    for (let n = 0; n < 4; n++) await predict(runs[1], n, `b${4 - n}`, { exact: true });
    await predict(runs[1], 0, 'again', { exact: false });
  });
  afterAll(() => trace.close());

  const query = async (fields: object = {}): Promise<{ rows: Row[]; total_rows: number }> => {
    const { status, text } = await client.post(QUERY, { evaluation_run_ids: runs, ...fields });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return JSON.parse(text);
  };
  const numbers = async (fields: object) =>
    (await query(fields)).rows.map(({ inputs }) => (inputs as Record<string, unknown>)['n']);
  const by = (field: string, direction = 'asc', evaluation_run_id?: string) => ({
    sort_by: [{ field, direction, ...(evaluation_run_id && { evaluation_run_id }) }],
  });

  it('groups what runs found by the digest of the inputs', async () => {
    const { rows, total_rows } = await query(by('inputs.n'));
    expect(total_rows).toBe(5);
    const [first] = rows as [Row];
    const trial = {
      prediction_id: expect.any(String),
      exception: null,
      latency_ms: null,
      counts: true,
      score_exceptions: {},
    };
    const exact = { exact: expect.any(String) };
    expect(first).toEqual({
      row_digest: contentDigest({ n: 0, q: 'q0' }),
      inputs: { n: 0, q: 'q0' },
      evaluations: [
        {
          evaluation_run_id: runs[0],
          status: 'predicted',
          trials: [
            {
              ...{ ...trial, output: 'a0', scores: { exact: true, grade: { points: 0 } } },
              score_ids: { ...exact, grade: expect.any(String) },
            },
          ],
        },
        {
          evaluation_run_id: runs[1],
          status: 'predicted',
          trials: [
            { ...trial, output: 'b4', scores: { exact: true }, score_ids: exact },
            { ...trial, output: 'again', scores: { exact: false }, score_ids: exact },
          ],
        },
      ],
    });
    expect(rows.map(({ evaluations }) => evaluations.length)).toEqual([2, 2, 2, 2, 1]);
  });

  it('sorts by inputs, outputs and scores, of one run or of all; what is missing comes last', async () => {
    expect(await numbers(by('inputs.n', 'desc'))).toEqual([4, 3, 2, 1, 0]);
    expect(await numbers(by('output', 'asc', runs[1]))).toEqual([0, 3, 2, 1, 4]);
    expect(await numbers(by('scores.grade.points', 'desc'))).toEqual([4, 3, 2, 1, 0]);
    const sort_by = [
      { field: 'scores.exact', direction: 'asc', evaluation_run_id: runs[0] },
      { field: 'inputs.n', direction: 'desc' },
    ];
    expect(await numbers({ sort_by })).toEqual([3, 1, 4, 2, 0]);
    // Row 0 has one true and one false in the second run, row 4 none.
    expect((await numbers(by('scores.exact', 'asc', runs[1])))[0]).toBe(0);
    expect((await numbers(by('scores.exact', 'desc', runs[1])))[4]).toBe(4);
    const digests = (await query()).rows.map(({ row_digest }) => row_digest);
    expect(digests).toEqual([...digests].sort());
    expect((await query(by('row_digest', 'desc'))).rows.map(({ row_digest }) => row_digest)).toEqual(digests.reverse());
    expect(await numbers(by('scores.none'))).toHaveLength(5);
  });

  it('filters rows, and counts those of all pages', async () => {
    const filter = { in_all_runs: true };
    expect(await numbers({ filter, ...by('inputs.n') })).toEqual([0, 1, 2, 3]);
    expect(await numbers({ filter: { row_digests: [contentDigest({ n: 2, q: 'q2' }), 'none'] } })).toEqual([2]);
    for (const [limit, offset, expected] of [
      [2, 1, [1, 2]],
      [0, 0, []],
      [5, 9, []],
    ] as const) {
      const page = { filter, ...by('inputs.n'), limit, offset };
      expect(await numbers(page)).toEqual(expected);
      expect((await query(page)).total_rows).toBe(4);
    }
    expect(await query({ evaluation_run_ids: ['none'] })).toMatchObject({ rows: [], total_rows: 0 });
  });

  it('streams many rows as it answers few', async () => {
    const batch = Array.from({ length: 450 }, (_, n) =>
      aWholeCall(`many${n}`, {
        ...{ op_name: 'Model.predict', parent_id: 'many', attributes: { hone: { kind: 'prediction' } } },
        inputs: { n },
      }),
    );
    await post('calls/complete', { batch });
    const body = { evaluation_run_ids: ['many'], limit: 1_000, ...by('inputs.n') };
    expect(await numbers(body)).toEqual(batch.map((_, n) => n));
    expect((await query(body)).total_rows).toBe(450);
  });

  it('reads evaluations that SDKs traced, by the digest of the dataset row where they name one', async () => {
    const row: JsonObject = { n: 1, q: 'q1' };
    const other = { é: 1, b: 2, aa: 3 };
    const digest = contentDigest(row);
    const aTrial = (id: string, example: unknown, output: unknown) =>
      aWholeCall(id, {
        op_name: SDK_OP,
        parent_id: 'sdk',
        inputs: { self: EVALUATION, model: MODEL, example },
        output,
      });
    const ref = `hone:///acme/demo/object/ds:v0/attr/rows/id/${digest}`;
    const batch = [
      aTrial('named', ref, { output: 'x', scores: { exact: { passed: true } }, model_latency: 0.5 }),
      aTrial('whole', other, { model_output: 'y', scores: 'odd' }),
      aTrial('odd', 7, [1]),
      aWholeCall('other', { parent_id: 'sdk' }),
    ];
    await post('calls/complete', { batch });
    const { rows } = await query({ evaluation_run_ids: ['sdk', runs[0]], ...by('output', 'asc', 'sdk'), limit: 3 });
    const [named, whole, odd] = rows as [Row, Row, Row];
    expect([named.row_digest, named.inputs, named.evaluations.map((one) => one.evaluation_run_id)]).toEqual([
      digest,
      ref,
      ['sdk', runs[0]],
    ]);
    expect(named.evaluations[0]?.trials[0]).toMatchObject({ output: 'x', scores: { exact: { passed: true } } });
    expect([whole.inputs, whole.evaluations[0]?.trials[0]]).toMatchObject([other, { output: 'y', scores: {} }]);
    expect(odd.evaluations).toHaveLength(1);
    const sorted = await query({ evaluation_run_ids: ['sdk'], ...by('scores.exact.passed') });
    expect([sorted.total_rows, sorted.rows[0]?.row_digest]).toEqual([3, digest]);
  });

  it('shows the newest where a scorer judged twice, and leaves out what was deleted', async () => {
    const { evaluation_run_id: run } = await post('evaluation_runs', { evaluation: EVALUATION, model: MODEL });
    const id = await predict(run, 1, 'c', { exact: 1.5 });
    const { score_id } = await post('scores', { prediction_id: id, scorer: 'hone:///acme/demo/op/exact:v1', value: 2 });
    const scores = async () => (await query({ evaluation_run_ids: [run] })).rows[0]?.evaluations[0]?.trials[0]?.scores;
    expect(await scores()).toEqual({ exact: 2 });
    await client.delete(`${BASE}/scores?score_ids=${score_id}`);
    expect(await scores()).toEqual({ exact: 1.5 });
    await client.delete(`${BASE}/predictions?prediction_ids=${id}`);
    expect((await query({ evaluation_run_ids: [run] })).total_rows).toBe(0);
  });

  it('refuses what is wrong, at its place', async () => {
    for (const [fields, loc, type] of [
      [{ evaluation_run_ids: [] }, ['evaluation_run_ids'], 'too_short'],
      [{ evaluation_run_ids: Array(21).fill('r') }, ['evaluation_run_ids'], 'too_many'],
      [{ limit: 1_001 }, ['limit'], 'less_than_equal'],
      [by('scores'), ['sort_by', 0, 'field'], 'string_pattern_mismatch'],
      [by('inputs'), ['sort_by', 0, 'field'], 'string_pattern_mismatch'],
      [by("attributes.x'; --"), ['sort_by', 0, 'field'], 'string_pattern_mismatch'],
      [by('output', 'up'), ['sort_by', 0, 'direction'], 'enum'],
      [{ filter: { rows: [] } }, ['filter', 'rows'], 'extra_forbidden'],
      [{ project_id: 'acme/other' }, ['project_id'], 'value_error'],
    ] as const) {
      const { status, json } = await client.post(QUERY, { evaluation_run_ids: runs, ...fields });
      expect([status, json().detail]).toMatchObject([422, [{ loc: ['body', ...loc], type }]]);
    }
    const odd = await query(by(`scores.'; DROP TABLE calls; --`));
    expect(odd.total_rows).toBe(5);
    expect((await client.post('/v2/acme/nowhere/eval_results/query', { evaluation_run_ids: runs })).json()).toEqual({
      ...{ rows: [], total_rows: 0, summary: [] },
    });
  });
});
