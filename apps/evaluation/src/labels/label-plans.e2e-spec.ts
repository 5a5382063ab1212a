import { check, LabelPlanDto } from '@hone/contracts';
import { labelPlan, worstCasePlan } from '@hone/statistics';

import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { CONTAINS, repeat, ReportedProject, TRUTH } from '../truth/reports.fixture.js';

const PATH = '/evaluation/label-plans';

describe('POST /evaluation/label-plans', () => {
  const reported = new ReportedProject();
  const { add, addCalls, addRate, label, ofCheck, ofJudge } = reported;
  beforeAll(() => reported.start());
  afterAll(() => reported.app.close());
  beforeEach(() => reported.reset());

  const ask = (body: object, who = reported.app.writer) =>
    reported.app
      .as(who)
      .post(PATH, { project_id: PROJECT, scorer: 'cold', criterion: 'passed', truth: TRUTH, width: 0.1, ...body });
  const plan = async (body: object = {}): Promise<LabelPlanDto> => {
    const { status, json } = await ask(body);
    expect([status, json()]).toEqual([200, expect.any(Object)]);
    expect(check(LabelPlanDto, json()).issues).toEqual([]);
    return json() as LabelPlanDto;
  };

  it('counts labels with the judge and without, by what is known', async () => {
    const [human, judge] = [repeat([0, 17], [1, 13]), repeat([0, 15], [1, 2], [1, 13])];
    await addRate(human, [...judge, ...repeat([0, 300], [1, 300])]);
    const expected = labelPlan({ human, judge }, 630, 0.1);
    const found = await plan();
    expect(found).toEqual({
      ...{ scorer: `hone:///${PROJECT}/object/${reported.cold}`, criterion: 'passed', level: 0.95, width: 0.1 },
      ...{ with_judge: expected.withJudge, without_judge: expected.withoutJudge, basis: 'labels' },
      ...{ labels: 30, calls: 630 },
    });
    expect(found.with_judge).toBeLessThan((found.without_judge as number) / 2);
    const sure = await plan({ level: 0.99 });
    expect(sure.without_judge).toBeGreaterThan(found.without_judge as number);
  });

  it('says that not even labels of all calls are enough', async () => {
    await addRate(repeat([0, 10], [1, 10]), repeat([0, 10], [1, 10], [1, 20]));
    expect(await plan({ width: 0.001 })).toMatchObject({ with_judge: null, without_judge: null, basis: 'labels' });
  });

  it('is the worst case of the scale, and says so, where fewer than 20 calls have labels', async () => {
    await addRate(repeat([1, 19]), repeat([1, 400]));
    const { withoutJudge } = worstCasePlan([0, 1], 400, 0.1);
    const expected = { basis: 'worst_case', with_judge: withoutJudge, without_judge: withoutJudge, calls: 400 };
    expect(await plan()).toMatchObject({ ...expected, labels: 19 });
    expect(await plan({ truth: null })).toMatchObject({ ...expected, labels: 0 });
  });

  it('takes the scale of a rating for its worst case', async () => {
    const calls = await addCalls(50);
    await add(...calls.map((call) => ofJudge(call, { helpful: 3 })), label(calls[0] as string, 4));
    const { withoutJudge } = worstCasePlan([1, 5], 50, 1);
    expect(await plan({ scorer: 'helpful', criterion: 'helpful', width: 1 })).toMatchObject({
      ...{ basis: 'worst_case', without_judge: withoutJudge, labels: 1, calls: 50 },
    });
  });

  it('knows nothing of numbers without a scale before there are labels', async () => {
    const calls = await addCalls(30);
    await add(...calls.map((call, at) => ofCheck(call, { value: at })));
    const { status, json } = await ask({ criterion: 'value' });
    expect([status, json().code]).toEqual([422, 'label_plan.no_scale']);
    await add(...calls.slice(0, 20).map((call, at) => label(call, at + (at % 3))));
    expect(await plan({ criterion: 'value', width: 5 })).toMatchObject({ basis: 'labels', labels: 20 });
  });

  it('plans nothing for hardly any calls', async () => {
    await addRate([], [1, 0, 1]);
    expect(await plan()).toMatchObject({ with_judge: null, without_judge: null, calls: 3, basis: 'worst_case' });
  });

  it.each([
    ['no width', { width: undefined }, 422],
    ['a width of nothing', { width: 0 }, 422],
    ['a width that is no number', { width: '0.1' }, 422],
    ['a criterion that the scorer does not find', { criterion: 'other' }, 422],
    ['a scorer that is not there', { scorer: 'unknown' }, 404],
    ['a field of another body', { size: 10 }, 422],
  ])('refuses %s', async (_what, body, status) => {
    expect((await ask(body)).status).toBe(status);
  });

  it('keeps the labels of others to themselves', async () => {
    await addRate(repeat([1, 20]), repeat([1, 30]));
    expect((await ask({}, await reported.app.user('stranger', { roles: { globex: 'owner' } }))).status).toBe(403);
    await JudgedProject.of(reported.app, 'acme/other').then((other) => other.addScorer('cold', CONTAINS));
    const bound = await reported.app.user('bound', { roles: { acme: 'owner' }, onlyProject: 'acme/other' });
    expect((await ask({}, bound)).status).toBe(403);
    expect((await ask({ project_id: 'acme/other' }, bound)).json()).toMatchObject({ labels: 0, calls: 0 });
  });
});
