import type { JsonValue } from '@hone/contracts';
import { newId } from '@hone/database';
import { differencePlan, momentsOf, ppiDifference } from '@hone/statistics';

import type { APrediction } from '../testing/evaluation-runs.fixture.js';
import { PROJECT } from '../testing/judged-project.fixture.js';
import { Comparisons, metricOf } from './comparisons.fixture.js';

const LABELS = 'hone.annotation.quality';
const times = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_none, n) => of(n));
const field = (name: string) => ({ $getField: `inputs.${name}` });
const is = (name: string, value: string | number) => ({ $eq: [field(name), { $literal: value }] });
const row = (n: number) => ({ n, language: n % 4 === 0 ? 'de' : 'en', tags: times(n % 3, String) });
const FORTY = times(40, row);
/** The candidate is better in English and worse in German. */
const predictions = (isCandidate: boolean): APrediction[] =>
  FORTY.map((inputs) => ({ inputs, scores: { s: Number(isCandidate === (inputs.language === 'en')) } }));

describe('comparisons of runs', () => {
  const comparisons = new Comparisons();
  const { compare } = comparisons;
  beforeAll(() => comparisons.start());
  beforeEach(() => comparisons.reset());
  afterAll(() => comparisons.app.close());

  describe('by slices', () => {
    const slices = [
      { name: 'German', expression: is('language', 'de') },
      { expression: is('language', 'en') },
      { name: 'tagged', expression: { $gt: [{ $size: field('tags') }, { $literal: 0 }] } },
      { name: 'none', expression: is('language', 'fr') },
    ];

    it.each(['ofSdk', 'ofServer'] as const)('name those that regress, adjusted over all slices (%s)', async (form) => {
      const ids = [await comparisons.runs[form](predictions(false)), await comparisons.runs[form](predictions(true))];
      const [found] = (await compare(ids, { metrics: ['scores.s'], slices })).comparisons;
      expect(found?.slices.map(({ name, rows }) => [name, rows])).toEqual([
        ['German', 10],
        ['slice 2', 30],
        ['tagged', FORTY.filter(({ tags }) => tags.length > 0).length],
        ['none', 0],
      ]);
      const [german, english, , none] = found?.slices.map(({ metrics }) => metrics[0]) ?? [];
      // Of three tests: English has the least p-value, then what is tagged, then German.
      expect(german).toMatchObject({
        ...{ pairs: 10, losses: 10, p_value: expect.closeTo(2 / 2 ** 10, 12), verdict: 'worse' },
        difference: { estimate: -1, low: -1, high: -1, method: 'constant' },
      });
      expect(english).toMatchObject({ pairs: 30, wins: 30, p_adjusted: expect.closeTo(3 * (2 / 2 ** 30), 15) });
      expect(none).toMatchObject({ pairs: 0, verdict: 'too_few_pairs' });
      expect(found?.regressions).toEqual([
        { slice: 'German', metric: 'scores.s', difference: -1, p_adjusted: german?.p_adjusted },
      ]);
      expect(found?.metrics[0]).toMatchObject({ pairs: 40, wins: 30, losses: 10, verdict: 'better' });
    });

    it('read the rows of a dataset that predictions name, or of which they send a part', async () => {
      const { ref, rows } = await comparisons.runs.addEvaluation('eval', FORTY);
      const ids = [
        await comparisons.runs.ofSdk(
          rows.map((inputs) => ({ inputs, scores: { s: 0 } })),
          { evaluation: ref },
        ),
        await comparisons.runs.ofServer(
          FORTY.map((inputs) => ({ inputs, sent: { n: inputs.n }, scores: { s: 1 } })),
          { evaluation: ref },
        ),
      ];
      const [found] = (await compare(ids, { metrics: ['scores.s'], slices: slices.slice(0, 2) })).comparisons;
      expect(found?.slices.map(({ rows: count }) => count)).toEqual([10, 30]);
    });

    it('refuse a bad expression, by where it is, before anybody is asked who they are', async () => {
      const runs = [newId(), newId()];
      const at = (slice: object) => comparisons.refusal({ runs, slices: [slices[0], slice] });
      const loc = ['body', 'slices', 1, 'expression'];
      for (const [expression, where] of [
        [{}, []],
        [{ $eq: [], $gt: [] }, []],
        [{ $regex: 'x' }, []],
        [{ $eq: [field('a')] }, ['$eq']],
        [{ $eq: [{ $getField: 'output.a' }, { $literal: 1 }] }, ['$eq', 0, '$getField']],
        [{ $eq: [{ $getField: 'inputs.\0' }, { $literal: 1 }] }, ['$eq', 0, '$getField']],
        [{ $search: { words: { $literal: 'a' } } }, []],
        [{ $traceHas: is('a', 1) }, []],
        [{ $size: { $literal: 1 } }, ['$size']],
      ] as const)
        expect([expression, ...(await at({ expression })).slice(0, 2)]).toEqual([expression, 422, [...loc, ...where]]);
      for (const [slice, where] of [
        [{}, loc],
        [{ expression: 'a' }, loc],
        [{ expression: [] }, loc],
        [{ name: '', expression: is('a', 1) }, ['body', 'slices', 1, 'name']],
        [{ name: 'x'.repeat(129), expression: is('a', 1) }, ['body', 'slices', 1, 'name']],
        [{ name: 'German', expression: is('a', 1) }, ['body', 'slices', 1, 'name']],
        [{ expression: is('a', 1), query: 1 }, ['body', 'slices', 1, 'query']],
      ] as const)
        expect([slice, ...(await at(slice)).slice(0, 2)]).toEqual([slice, 422, where]);
      const tooMany = times(21, (n) => ({ name: `s${n}`, expression: is('a', n) }));
      expect((await comparisons.refusal({ runs, slices: tooMany })).slice(0, 2)).toEqual([422, ['body', 'slices']]);
      const deep = times(40, () => '{"$not":').join('') + '{"$literal":true}' + '}'.repeat(40);
      expect((await at({ expression: JSON.parse(deep) })).slice(0, 1)).toEqual([422]);
    });

    it('take what rows hold as it comes', async () => {
      const odd: JsonValue[] = [
        null,
        1,
        'text',
        [1],
        { language: { a: 1 } },
        { language: 'de"; DROP TABLE calls; --' },
        { n: 1e300 },
      ];
      const of = odd.map((inputs) => ({ inputs, scores: { s: 1 } }));
      const ids = [await comparisons.runs.ofSdk(of), await comparisons.runs.ofSdk(of)];
      const found = await compare(ids, {
        slices: [
          { name: 'injected', expression: is('language', 'de"; DROP TABLE calls; --') },
          { name: 'large', expression: { $gt: [field('n'), { $literal: 5 }] } },
        ],
      });
      expect(found.comparisons[0]?.slices.map(({ rows }) => rows)).toEqual([1, 1]);
    });
  });

  describe('with labels of people', () => {
    /** Stores labels of the predictions of a run, or of the calls below them, the first prediction first. */
    const label = async (run: string, values: readonly unknown[], isBelow = false): Promise<void> => {
      const below = isBelow ? `(SELECT id FROM calls m WHERE m.parent_id = t.id ORDER BY m.op_name LIMIT 1)` : 't.id';
      await comparisons.app.sql(
        `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, payload_text, payload_json,
           scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
         SELECT t.project_id, gen_random_uuid()::text, now(), $1::uuid, $2, $3 || '/call/' || ${below}, value::text, value, '{}', '{}',
           '{}', '{}', '{}', '{}'
         FROM (SELECT *, row_number() OVER (ORDER BY started_at, id) AS n FROM calls WHERE parent_id = $4) t
         JOIN jsonb_array_elements($5::jsonb) WITH ORDINALITY AS label (value, n) USING (n) WHERE value <> 'null'`,
        [comparisons.app.writer.id, LABELS, PROJECT, run, JSON.stringify(values)],
      );
    };
    const truth = [{ metric: 'scores.s', feedback_type: LABELS }];
    /** The judge passes all that the candidate answers; people do not. */
    const people = [times(24, (n) => Number(n % 2 === 0)), times(24, (n) => Number(n % 3 === 0))];
    const judged = (run: 0 | 1): APrediction[] =>
      FORTY.map((inputs, n) => ({ inputs, scores: { s: run === 1 ? 1 : Number(n % 2 === 0) } }));

    it.each([
      ['ofServer', false],
      ['ofSdk', true],
    ] as const)('correct what a judge says, and the test of it (%s)', async (form, isBelow) => {
      const ids = [await comparisons.runs[form](judged(0)), await comparisons.runs[form](judged(1))];
      const uncorrected = metricOf(await compare(ids), 'scores.s');
      expect(uncorrected).toMatchObject({
        verdict: 'better',
        difference: { estimate: 0.5, judge_only: true, labels: 0 },
      });
      for (const run of [0, 1] as const)
        await label(
          ids[run] as string,
          (people[run] as number[]).map((value) => ({ value })),
          isBelow,
        );
      const metric = metricOf(await compare(ids, { truth, widths: { 'scores.s': 0.25 } }), 'scores.s');
      const human = times(24, (n) => (people[1]?.[n] as number) - (people[0]?.[n] as number));
      const judge = times(40, (n) => Number(n % 2 !== 0));
      const expected = ppiDifference({ human, judge: judge.slice(0, 24) }, momentsOf(judge.slice(24)));
      expect(metric).toMatchObject({
        difference: { method: 'ppi++ t', labels: 24, calls: 40, judge_only: false },
        baseline: { labels: 24, calls: 40, judge_only: false },
        candidate: { method: 'ppi++ score', labels: 24, calls: 40, judge_only: false },
        ...{ test: 'ppi++ t', verdict: 'unclear' },
      });
      expect(metric.difference.estimate).toBeCloseTo(expected.estimate, 12);
      expect(metric.difference.low).toBeCloseTo(expected.low, 12);
      expect(metric.p_value).toBeCloseTo(expected.pValue, 12);
      const { withJudge, withoutJudge } = differencePlan({ human, judge: judge.slice(0, 24) }, 40, 0.25);
      expect(metric.label_plan).toEqual({
        ...{ width: 0.25, with_judge: withJudge, without_judge: withoutJudge, basis: 'labels', labels: 24, pairs: 40 },
      });
    });

    it('leave it uncorrected where they are too few, and of what is no label', async () => {
      const ids = [await comparisons.runs.ofServer(judged(0)), await comparisons.runs.ofServer(judged(1))];
      for (const id of ids)
        await label(id, [...times(19, () => ({ value: true })), { value: 'odd' }, { other: 1 }, { value: { a: 1 } }]);
      expect(metricOf(await compare(ids, { truth }), 'scores.s')).toMatchObject({
        label_plan: null,
        ...{ difference: { labels: 19, judge_only: true, method: 'bca' }, candidate: { labels: 19, judge_only: true } },
        test: 'mcnemar exact',
      });
      const map = { true: 1, odd: 0 };
      const mapped = await compare(ids, { truth: [{ ...truth[0], map } as (typeof truth)[0]] });
      expect(metricOf(mapped, 'scores.s').difference).toMatchObject({ labels: 20, judge_only: false });
    });

    it('are none of facts, of checks and of measures', async () => {
      const check = { kind: 'check', check: { check: 'contains', value: 'cold' } };
      const ref = (id: string, digest: string) => `hone:///${PROJECT}/object/${id}:${digest}`;
      const scorers = {
        s: ref('cold', await comparisons.runs.project.addScorer('cold', check)),
        j: ref('own', await comparisons.runs.project.addScorer('own', null)),
      };
      const of = FORTY.map((inputs) => ({ inputs, scores: { s: 1, j: 1, fact: { exact: true } }, scorers }));
      const ids = [await comparisons.runs.ofServer(of), await comparisons.runs.ofServer(of)];
      const found = await compare(ids, { facts: ['scores.fact'] });
      expect(
        found.comparisons[0]?.metrics.map(({ metric, source, difference }) => [metric, source, difference.judge_only]),
      ).toEqual([
        ['scores.fact.exact', 'check', false],
        ['scores.j', 'score', true],
        ['scores.s', 'check', false],
        ['latency_ms', 'measure', false],
        ['length', 'measure', false],
      ]);
      // An SDK's run does not say whose its scores are: they may be a judge's.
      for (const mixed of [
        [ids[0] as string, await comparisons.runs.ofSdk(of)],
        [await comparisons.runs.ofSdk(of), ids[0] as string],
      ]) {
        expect(metricOf(await compare(mixed), 'scores.s')).toMatchObject({
          ...{ source: 'score', difference: { judge_only: true } },
        });
        expect(metricOf(await compare(mixed, { facts: ['scores.s'] }), 'scores.s').source).toBe('check');
      }
    });
  });
});
