import { jest } from '@jest/globals';

import { PROJECT } from '../testing/judged-project.fixture.js';
import { ReportedProject, TRUTH } from './reports.fixture.js';
import { VerdictGroupsRepository } from './verdict-groups.repository.js';

describe('POST /evaluation/reports, of what there is not', () => {
  const reported = new ReportedProject();
  const { add, addCalls, addRate, ask, ofCheck, report } = reported;
  beforeAll(() => reported.start());
  afterAll(() => reported.app.close());
  beforeEach(() => reported.reset());

  it('has no figure of a criterion that nobody rated, and refuses one that the scorer does not find', async () => {
    const calls = await addCalls(2);
    await add(...calls.map((call) => ofCheck(call, { passed: 1 })));
    expect(await report({ criterion: 'value' })).toEqual({
      ...{
        scorer: `hone:///${PROJECT}/object/${reported.cold}`,
        criterion: 'value',
        level: 0.95,
        estimate: null,
        low: null,
        high: null,
      },
      ...{ label_source: 'given', labels_left_out: 0, calls_without_chance: 0 },
      ...{ method: null, labels: 0, calls: 0, judge_only: true, unread_labels: 0, lambda: null, check: null },
      ...{ advisory: true, advisory_reason: 'no_labels' },
      gate: { min_tpr: 0.8, min_tnr: 0.8, pass_above: null, tpr: null, tnr: null },
      ...{ agreement: null, disagreements: [] },
    });
    const { status, json } = await ask({ criterion: '__proto__' });
    expect([status, json().detail]).toEqual([
      422,
      [{ loc: ['body', 'criterion'], msg: "The scorer finds 'passed', 'value'", type: 'value_error' }],
    ]);
  });

  it.each([
    [
      'a map that is too long',
      { truth: { ...TRUTH, map: Object.fromEntries([...new Array(1_001).keys()].map((at) => [at, 1])) } },
      422,
    ],
    ['a map of texts', { truth: { ...TRUTH, map: { good: 'yes' } } }, 422],
    ['an empty path', { truth: { ...TRUTH, path: '' } }, 422],
    ['a level of all samples', { level: 1 }, 422],
    ['a rate above 1', { min_tpr: 1.01 }, 422],
    ['a mark that is no number', { pass_above: 'good' }, 422],
    ['a condition on nothing', { query: { $expr: { $eq: [{ $getField: 'nothing' }, { $literal: 1 }] } } }, 422],
    ['a field of another body', { call_ids: ['x'] }, 422],
    ['an unknown scorer', { scorer: 'unknown' }, 404],
  ])('refuses %s', async (_what, body, status) => {
    expect((await ask(body)).status).toBe(status);
  });

  it('refuses more labels than one request reads', async () => {
    const [call] = await addRate([1], [1, 1]);
    const repository = reported.app.app.get(VerdictGroupsRepository);
    const find = repository.find.bind(repository);
    let times = 100_000;
    jest.spyOn(repository, 'find').mockImplementation(async (...sent) => {
      const found = await find(...sent);
      return found && { ...found, groups: found.groups.map((group) => ({ ...group, calls: times })) };
    });
    expect(await report()).toMatchObject({ labels: 100_000, calls: 100_001 });
    times++;
    const { status, json } = await ask({});
    jest.restoreAllMocks();
    expect([status, json().code]).toEqual([422, 'report.too_many_labels']);
    expect(await report({ filter: { call_ids: [call] } })).toMatchObject({ labels: 1 });
  });
});
