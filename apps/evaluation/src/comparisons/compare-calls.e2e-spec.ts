import type { TestClient } from '@hone/testing';

import type { ACall } from '../testing/judged-project.fixture.js';
import { PROJECT } from '../testing/judged-project.fixture.js';
import { Comparisons, metricOf } from './comparisons.fixture.js';

const ROWS = 12;
const question = (row: number) => [{ role: 'user', content: `Question ${row}?` }];
const filterOf = (user: string) => ({
  $expr: { $eq: [{ $getField: 'attributes.metadata.user' }, { $literal: user }] },
});
const SETS = [
  { name: 'old', query: filterOf('old') },
  { name: 'new', query: filterOf('new') },
];

describe('POST /evaluation/compare of live calls', () => {
  const comparisons = new Comparisons();
  const { ask, refusal } = comparisons;
  beforeAll(() => comparisons.start());
  beforeEach(() => comparisons.reset());
  afterAll(() => comparisons.app.close());

  const compare = async (body: object = {}, as: TestClient | null = null) => {
    const { status, json } = as
      ? await as.post('/evaluation/compare', { project_id: PROJECT, calls: SETS, ...body })
      : await ask({ calls: SETS, ...body });
    expect([status, json()]).toEqual([200, expect.any(Object)]);
    return json();
  };
  /** Calls of a model, one for each row, `length` characters long. */
  const add = (user: string, more: (row: number) => ACall = () => ({}), rows = ROWS) =>
    comparisons.runs.project.addCalls(
      ...Array.from({ length: rows }, (_none, row): ACall => ({
        user,
        inputs: { model: user, temperature: row, messages: question(row), language: row % 2 ? 'de' : 'en' },
        output: 'x'.repeat(user === 'old' ? 5 : 5 + row),
        latencyMs: user === 'old' ? 500 : 400,
        summary: { usage: { 'gpt-4o': { requests: 1, prompt_tokens: 10, completion_tokens: 5 } } },
        ...more(row),
      })),
    );

  it('pairs them by what was asked, whatever the model and its parameters', async () => {
    await add('old');
    await add('new');
    await add('new', () => ({}), 3);
    const found = await compare({
      slices: [{ name: 'German', expression: { $eq: [{ $getField: 'inputs.language' }, { $literal: 'de' }] } }],
    });
    expect(found.runs).toEqual(
      [ROWS, ROWS + 3].map((trials, at) => ({
        ...{ id: SETS[at]?.name, name: SETS[at]?.name, dataset_rows: null, missing: null },
        ...{ predicted: ROWS, failed: 0, trials, replaced: 0 },
      })),
    );
    const [only] = found.comparisons;
    expect([only.candidate, only.rows]).toMatchObject(['new', { paired: ROWS, baseline_only: 0, candidate_only: 0 }]);
    expect(metricOf(found, 'latency_ms')).toMatchObject({
      pairs: ROWS,
      difference: { estimate: -100 },
      verdict: 'better',
    });
    expect(metricOf(found, 'length').difference.estimate).toBeCloseTo((ROWS - 1) / 2, 12);
    expect(metricOf(found, 'tokens').baseline.estimate).toBe(15);
    expect(only.slices).toMatchObject([{ name: 'German', rows: ROWS / 2 }]);
  });

  it('reads what scorers and people said about each call last', async () => {
    const [olds, news] = [await add('old'), await add('new')];
    for (const [at, id] of [...olds, ...news].entries()) {
      const isNew = at >= ROWS;
      await comparisons.runs.project.addVerdict('helpful:v1', id, { rating: 1 });
      await comparisons.runs.project.addVerdict('helpful:v1', id, { rating: isNew ? 4 : 2 });
      await comparisons.app.sql(
        `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, payload_json,
           scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
         SELECT project_id, gen_random_uuid(), now(), svc_user_id, 'human.helpful', trace_ref, $2, '{}', '{}', '{}', '{}', '{}', '{}'
         FROM feedback WHERE trace_ref = $1 LIMIT 1`,
        [`${PROJECT}/call/${id}`, JSON.stringify({ value: isNew ? 3 : 2 })],
      );
    }
    const truth = [{ metric: 'scores.helpful.rating', feedback_type: 'human.helpful' }];
    const judged = metricOf(await compare(), 'scores.helpful.rating');
    expect(judged).toMatchObject({ source: 'score', pairs: ROWS, difference: { estimate: 2, judge_only: true } });
    expect(metricOf(await compare({ truth }), 'scores.helpful.rating').difference.labels).toBe(ROWS);
  });

  it('knows what failed, and means ended calls of callers alone, unless others are named', async () => {
    await add('old');
    const news = await add('new', (row) => (row === 0 ? { exception: 'Boom' } : { isRunning: row === 1 }));
    const [judge] = await comparisons.runs.project.addCalls({
      user: 'hone.scorer:x',
      inputs: { messages: question(0) },
    });
    const found = await compare();
    expect(found.runs[1]).toMatchObject({ predicted: ROWS - 2, failed: 1, trials: ROWS - 1 });
    expect(metricOf(found, 'latency_ms').left_out).toEqual({ failed: 1, no_number: 0 });
    const named = await compare({ calls: [SETS[0], { name: 'judges', filter: { call_ids: [judge, news[2]] } }] });
    expect(named.runs[1]).toMatchObject({ trials: 2 });
    expect((await compare({ calls: [SETS[0], { ...SETS[1], limit: 3 }] })).runs[1]).toMatchObject({ trials: 3 });
    expect((await compare({ calls: [SETS[0], { name: 'none', filter: { call_ids: ['?'] } }] })).runs[1]).toMatchObject({
      trials: 0,
    });
  });

  it('refuses what is no comparison', async () => {
    const [old] = await add('old');
    const other = { name: 'other', filter: { call_ids: [old] } };
    expect(await refusal({ calls: [SETS[0], other] })).toEqual([422, ['body', 'calls', 1], 'value_error']);
    expect(await refusal({})).toEqual([422, ['body', 'runs'], 'value_error']);
    expect(await refusal({ calls: SETS, runs: ['a', 'b'] })).toEqual([422, ['body', 'calls'], 'value_error']);
    expect(await refusal({ calls: [SETS[0]] })).toEqual([422, ['body', 'calls'], 'too_short']);
    expect(await refusal({ calls: [SETS[0], SETS[0]] })).toEqual([422, ['body', 'calls', 1, 'name'], 'value_error']);
    const query = { $expr: { $odd: [] } };
    expect((await refusal({ calls: [SETS[0], { name: 'x', query }] })).slice(0, 1)).toEqual([422]);
  });

  it('is of the caller’s project alone', async () => {
    const ids = await add('old');
    const stranger = await comparisons.app.user('stranger', { roles: { other: 'owner' } });
    const body = { calls: [{ name: 'a', filter: { call_ids: ids } }, { name: 'b' }] };
    expect(
      (await comparisons.app.as(stranger).post('/evaluation/compare', { project_id: PROJECT, ...body })).status,
    ).toBe(403);
    const own = { project_id: 'other/own', ...body };
    await comparisons.app.as(stranger).post('/account/projects', { entity: 'other', name: 'own' });
    const answer = await comparisons.app.as(stranger).post('/evaluation/compare', own);
    expect(answer.text).not.toContain(ids[0]);
  });
});
