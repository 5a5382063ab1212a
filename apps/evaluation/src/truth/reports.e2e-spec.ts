import { estimateMean, judgeOnlyMean, momentsOf, pearson } from '@hone/statistics';

import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { type AFeedback, CONTAINS, PATH, repeat, ReportedProject, TRUTH } from './reports.fixture.js';

describe('POST /evaluation/reports', () => {
  const reported = new ReportedProject();
  const { add, addCalls, addRate, ask, label, ofCheck, ofJudge, report } = reported;
  beforeAll(() => reported.start());
  afterAll(() => reported.app.close());
  beforeEach(() => reported.reset());

  it('has the figures that SciPy and ppi-python have for a table', async () => {
    // Of `libs/statistics/src/oracle/tables.json`, made by `.ci/python/statistics`: the table of 22 labels and 41 other calls.
    await addRate(repeat([0, 17], [1, 5]), repeat([0, 12], [1, 5], [1, 3], [0, 2], [0, 22], [1, 19]));
    const found = await report();
    const near = (figure: number): unknown => expect.closeTo(figure, 10);
    expect(found).toMatchObject({
      ...{
        scorer: `hone:///${PROJECT}/object/${reported.cold}`,
        criterion: 'passed',
        level: 0.95,
        method: 'ppi++ score',
      },
      ...{ estimate: near(0.2412903136043632), low: near(0.10878701891408246), high: near(0.4484212165318667) },
      ...{ lambda: near(0.1404873652348399), labels: 22, calls: 63, judge_only: false, unread_labels: 0 },
      check: { estimate: near(0.43956043956043944), low: 0, high: 1 },
      agreement: {
        matrix: {
          categories: [1, 0],
          counts: [
            [3, 2],
            [5, 12],
          ],
        },
        tpr: { estimate: 0.6, low: near(0.2307242812760128), high: near(0.882379225767352) },
        tnr: { estimate: near(12 / 17), low: near(0.4686688993346016), high: near(0.8672001038970478) },
        accuracy: { estimate: near(15 / 22), low: near(0.47318597741042745), high: near(0.8363940681864375) },
        kappa: { estimate: near(0.25242718446601936), low: near(-0.1560214639020277), high: near(0.6608758328340665) },
        ac1: { estimate: near(0.454867256637168), low: near(0.028599153469164917), high: near(0.881135359805171) },
        pearson: {
          estimate: near(0.26647402004950604),
          low: near(-0.17476936230904727),
          high: near(0.6185857788239668),
        },
      },
    });
  });

  it('corrects a rating on its scale, and lists the worst disagreements with the reasons of the judge', async () => {
    const human = [...new Array<number>(20).keys()].map((at) => (at % 5) + 1);
    const judge = human.map((value, at) => (at === 7 ? 5 : at === 3 ? 1 : Math.min(5, value + (at % 2))));
    const others = [5, 4, 4, 3, 5, 2, 1, 4];
    const calls = await addCalls(28);
    await add(
      ...calls.map((call, at) => ofJudge(call, { helpful: judge[at] ?? others[at - 20], reason: `because ${at}` })),
      ...human.map((value, at) => label(calls[at] as string, value)),
    );
    const found = await report({ scorer: reported.helpful, criterion: 'helpful', level: 0.9 });
    const expected = estimateMean({ human, judge, others: momentsOf(others), isRate: false }, 0.9);
    expect(found.method).toBe('ppi++ t');
    expect(found.level).toBe(0.9);
    expect(found.estimate).toBeCloseTo(expected.estimate, 10);
    expect(found.low).toBeCloseTo(expected.low, 10);
    expect(found.high).toBeCloseTo(expected.high, 10);
    expect(found.check).toBeNull();
    expect(found.agreement).toMatchObject({ tpr: null, tnr: null, matrix: { categories: [1, 2, 3, 4, 5] } });
    expect(found.agreement?.pearson?.estimate).toBeCloseTo(pearson(human, judge)?.estimate as number, 10);
    const gaps = found.disagreements.map((one) => Math.abs(one.judge - one.human));
    expect(found.disagreements.slice(0, 2)).toEqual([
      { call_id: 'call-000003', judge: 1, human: 4, reason: 'because 3' },
      { call_id: 'call-000007', judge: 5, human: 3, reason: 'because 7' },
    ]);
    expect(gaps).toEqual([...gaps].sort((a, b) => b - a));
    expect(gaps).toHaveLength(human.filter((value, at) => value !== judge[at]).length);
  });

  it('lists at most 20 disagreements', async () => {
    await addRate(repeat([0, 25]), repeat([1, 25]));
    const { disagreements, method } = await report();
    expect(disagreements.map((one) => one.call_id)).toEqual(
      [...new Array<number>(20).keys()].map((at) => `call-${String(at).padStart(6, '0')}`),
    );
    expect(method).toBe('labels-only wilson');
  });

  it('counts a tag as 1 where it is among the tags, else as 0', async () => {
    const calls = await addCalls(3);
    await add(
      ofJudge(calls[0] as string, {}, 'polite'),
      ofJudge(calls[1] as string, {}),
      ofJudge(calls[2] as string, {}, 'rude'),
    );
    const found = await report({ scorer: 'helpful', criterion: 'polite' });
    expect(found).toMatchObject({ calls: 3, ...figuresOf(judgeOnlyMean(momentsOf([1, 0, 0]), true)) });
  });

  it('is uncorrected, and says so, with fewer than 20 labels', async () => {
    const judge = repeat([1, 30], [0, 10]);
    await addRate(repeat([1, 15], [0, 4]), judge);
    const found = await report();
    expect(found).toMatchObject({
      judge_only: true,
      method: 'uncorrected',
      labels: 19,
      calls: 40,
      lambda: null,
      check: null,
    });
    expect(found).toMatchObject(figuresOf(judgeOnlyMean(momentsOf(judge), true)));
    expect(found.agreement?.accuracy?.estimate).toBeCloseTo(15 / 19, 10);
    const without = await report({ truth: null });
    expect(without).toMatchObject({ judge_only: true, labels: 0, calls: 40, agreement: null, disagreements: [] });
    expect(without.estimate).toBe(found.estimate);
  });

  it('takes the newest judgement of the version, and the newest label of a person', async () => {
    const [call, other] = (await addCalls(2)) as [string, string];
    const newer = `cold:${await reported.project.addScorer('cold', { kind: 'check', check: { check: 'exact', value: 'cold' } })}`;
    await add(
      ofCheck(call, { passed: 0 }),
      ofCheck(call, { passed: 1 }),
      ofCheck(call, { passed: 0 }, newer),
      ofCheck(other, { passed: 1 }),
      label(call, 1),
      label(call, 0),
      { ...label(call, 1), runnable: 'robot:v0' },
      { ...label(other, 0), runnable: 'robot:v0' },
    );
    const found = await report({ scorer: reported.cold });
    expect(found).toMatchObject({ calls: 2, labels: 1, estimate: expect.any(Number) });
    expect(found.disagreements).toEqual([{ call_id: call, judge: 1, human: 0, reason: null }]);
    expect(await report()).toMatchObject({
      calls: 1,
      labels: 1,
      estimate: null,
      low: null,
      method: null,
      judge_only: true,
    });
  });

  it('takes thumbs for labels only where they are mapped so', async () => {
    const [good, bad] = (await addCalls(2)) as [string, string];
    const thumb = (call: string, emoji: string): AFeedback => ({ call, type: 'hone.reaction.1', payload: { emoji } });
    await add(ofCheck(good, { passed: 1 }), ofCheck(bad, { passed: 1 }), thumb(good, '👍'), thumb(bad, '👎'));
    const truth = { feedback_type: 'hone.reaction.1', path: 'emoji' };
    expect(await report({ truth })).toMatchObject({ labels: 0, unread_labels: 2, agreement: null });
    const mapped = await report({ truth: { ...truth, map: { '👍': 1, '👎': 0 } } });
    expect(mapped).toMatchObject({
      labels: 2,
      unread_labels: 0,
      disagreements: [{ call_id: bad, judge: 1, human: 0 }],
    });
  });

  it('reads labels by path and map, and counts what is none', async () => {
    const values = [true, false, 1, 0, 'good', null, 2, 0.5, [1], { value: 1 }, -1, 'x'.repeat(5_000)];
    const calls = await addCalls(values.length);
    await add(
      ...calls.map((call) => ofCheck(call, { passed: 1 })),
      ...calls.map((call, at) => ({ call, type: 'note', payload: { review: { 'a.b': values[at] } } })),
    );
    const truth = { feedback_type: 'note', path: 'review.a\\.b' };
    const plain = await report({ truth });
    expect(plain).toMatchObject({ labels: 5, unread_labels: 7, calls: 12 });
    expect(plain.agreement).toMatchObject({ matrix: null, kappa: null, accuracy: null });
    const mapped = await report({ truth: { ...truth, map: { good: 1, true: 1, false: 0, '2': 7 } } });
    expect(mapped).toMatchObject({ labels: 3, unread_labels: 9, agreement: { accuracy: { estimate: 2 / 3 } } });
    expect(await report({ truth: { ...truth, path: '__proto__' } })).toMatchObject({ labels: 0, unread_labels: 12 });
  });

  it('leaves out calls that were deleted, that are not meant, and judgements that are no number', async () => {
    const calls = (await addCalls(5)) as [string, string, string, string, string];
    await add(
      ...calls.map((call) => ofCheck(call, { passed: 1 })),
      ...calls.map((call) => label(call, 1)),
      ofCheck(calls[0], { passed: 'yes' }),
      ofCheck(calls[1], { passed: 1e300 }),
      { ...ofCheck('nowhere', { passed: 1 }) },
    );
    await reported.app.sql('UPDATE calls SET deleted_at = now() WHERE id = $1', [calls[2]]);
    expect(await report()).toMatchObject({ calls: 2, labels: 2 });
    expect(await report({ filter: { call_ids: [calls[3]] } })).toMatchObject({ calls: 1, labels: 1, estimate: null });
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: calls[4] }] } };
    expect(await report({ query })).toMatchObject({ calls: 1, labels: 1 });
  });

  it('keeps the verdicts and labels of others to themselves', async () => {
    await addRate(repeat([1, 20]), repeat([1, 30]));
    const stranger = reported.app.as(await reported.app.user('stranger', { roles: { globex: 'owner' } }));
    const body = { project_id: PROJECT, scorer: 'cold', criterion: 'passed', truth: TRUTH };
    expect((await stranger.post(PATH, body)).status).toBe(403);
    const reader = reported.app.as(await reported.app.user('reader', { roles: { acme: 'reader' } }));
    expect((await reader.post(PATH, body)).status).toBe(200);
    const other = await JudgedProject.of(reported.app, 'acme/other');
    await other.addScorer('cold', CONTAINS);
    expect(await report({ project_id: 'acme/other' })).toMatchObject({ calls: 0, labels: 0, agreement: null });
  });

  it.each([
    [
      'a scorer whose code a client runs',
      async () => `object/length:${await reported.project.addScorer('length', null)}`,
    ],
    ['a function that an SDK applied', () => Promise.resolve('op/length:v0')],
  ])('is of %s, by the paths of what it found', async (_what, runnableOf) => {
    const runnable = await runnableOf();
    const calls = await addCalls(30);
    const found = (at: number) => ({ short: at % 3 > 0, of: { words: at } });
    for (const [at, call] of calls.entries()) await reported.addFound(runnable, call, found(at));
    await add(...calls.map((call, at) => label(call, at % 2)));
    const of = (criterion: string) => report({ scorer: `hone:///${PROJECT}/${runnable}`, criterion });
    expect(await of('short')).toMatchObject({ calls: 30, labels: 30, estimate: 0.5, judge_only: false });
    expect(
      await report({ scorer: `hone:///${PROJECT}/${runnable}`, criterion: 'of.words', truth: null }),
    ).toMatchObject({
      ...{ calls: 30, estimate: 14.5, judge_only: true },
    });
    expect(await of('reason')).toMatchObject({ calls: 0, estimate: null });
  });

  it('is of numbers that are all that a scorer found', async () => {
    const [one, two] = await addCalls(2);
    await reported.addFound('op/share:v0', one as string, 0.25);
    await reported.addFound('op/share:v0', two as string, 0.75);
    const scorer = `hone:///${PROJECT}/op/share:v0`;
    expect(await report({ scorer, criterion: 'output', truth: null })).toMatchObject({ calls: 2, estimate: 0.5 });
    expect((await ask({ scorer: 'hone:///acme/elsewhere/op/share:v0', criterion: 'output' })).status).toBe(404);
  });
});

const figuresOf = ({ estimate, low, high }: { estimate: number; low: number; high: number }) => ({
  ...{ estimate: expect.closeTo(estimate, 10), low: expect.closeTo(low, 10), high: expect.closeTo(high, 10) },
});
