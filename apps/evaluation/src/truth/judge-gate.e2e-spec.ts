import { repeat, ReportedProject } from './reports.fixture.js';

describe('POST /evaluation/reports, of judges by which nothing should be decided', () => {
  const reported = new ReportedProject();
  const { add, addCalls, addRate, label, ofCheck, ofJudge, report } = reported;
  beforeAll(() => reported.start());
  afterAll(() => reported.app.close());
  beforeEach(() => reported.reset());

  const reasonOf = async (body: object = {}) => {
    const { advisory, advisory_reason: reason } = await report(body);
    expect(advisory).toBe(reason !== null);
    return reason;
  };

  it('lets a judge decide that passes and fails what people do', async () => {
    await addRate(repeat([1, 20], [0, 20]), repeat([1, 17], [0, 3], [0, 17], [1, 3]));
    const found = await report();
    expect(found).toMatchObject({ advisory: false, advisory_reason: null });
    expect(found.gate).toEqual({
      ...{ min_tpr: 0.8, min_tnr: 0.8, pass_above: 0.5 },
      ...{ tpr: found.agreement?.tpr, tnr: found.agreement?.tnr },
    });
    expect(found.gate.tpr?.estimate).toBe(0.85);
    expect(found.gate.tpr?.low).toBeLessThan(0.8);
    expect(await reasonOf({ min_tpr: 0.86 })).toBe('low_tpr');
    expect(await reasonOf({ min_tnr: 0.86 })).toBe('low_tnr');
  });

  it('says which rate is too low', async () => {
    await addRate(repeat([1, 20], [0, 20]), repeat([1, 15], [0, 5], [0, 20]));
    expect(await reasonOf()).toBe('low_tpr');
    expect(await reasonOf({ min_tpr: 0.75 })).toBeNull();
    await reported.reset();
    await addRate(repeat([1, 20], [0, 20]), repeat([1, 20], [0, 15], [1, 5]));
    expect(await reasonOf()).toBe('low_tnr');
  });

  it('wants labels, and such of both kinds', async () => {
    const [human, judge] = [repeat([1, 19]), repeat([1, 30])];
    await addRate(human, judge);
    expect(await reasonOf({ truth: null })).toBe('no_labels');
    expect(await reasonOf()).toBe('few_labels');
    await reported.reset();
    await addRate(repeat([1, 25]), judge);
    expect(await reasonOf()).toBe('nothing_failed');
    await reported.reset();
    await addRate(repeat([0, 25]), judge);
    expect(await reasonOf()).toBe('nothing_passed');
  });

  it('takes ratings above the middle of their scale, or above a mark, for passed', async () => {
    const calls = await addCalls(40);
    const [human, judge] = [repeat([5, 10], [4, 10], [3, 10], [1, 10]), repeat([4, 20], [3, 10], [2, 10])];
    await add(
      ...calls.map((call, at) => ofJudge(call, { helpful: judge[at] as number })),
      ...calls.map((call, at) => label(call, human[at])),
    );
    const body = { scorer: 'helpful', criterion: 'helpful' };
    expect(await report(body)).toMatchObject({ advisory: false, gate: { pass_above: 3, tpr: { estimate: 1 } } });
    const strict = await report({ ...body, pass_above: 4 });
    expect(strict).toMatchObject({
      advisory_reason: 'low_tpr',
      gate: { pass_above: 4, tpr: { estimate: 0 }, tnr: { estimate: 1 } },
    });
  });

  it('wants a mark where there is no scale', async () => {
    const calls = await addCalls(40);
    await add(
      ...calls.map((call, at) => ofCheck(call, { value: at })),
      ...calls.map((call, at) => label(call, at + 0.5)),
    );
    expect(await reasonOf({ criterion: 'value' })).toBe('no_pass_mark');
    expect(await reasonOf({ criterion: 'value', pass_above: 20 })).toBeNull();
  });
});
