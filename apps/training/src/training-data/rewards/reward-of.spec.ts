import type { RewardRuleDto } from '@hone/contracts';

import type { Judgement } from '../source/source-call.js';
import { DEFAULT_RULES, rewardOf } from './reward-of.js';

const PERSON = '01900000-0000-7000-8000-000000000001';
const JUDGE = 'acme/p/object/judge:v1';

const judged = (payload: object, more: Partial<Judgement> = {}): Judgement => ({
  ...{ feedbackType: 'quality', runnableRef: null, svcUserId: PERSON, tags: [], ratings: {} },
  payload: JSON.stringify(payload),
  ...more,
});
const thumb = (emoji: string, detoned = emoji) => judged({ emoji, detoned }, { feedbackType: 'hone.reaction.1' });
const byJudge = (ratings: Record<string, number>) => judged({}, { runnableRef: JUDGE, ratings });
const reward = (
  judgements: Judgement[],
  rules: readonly RewardRuleDto[],
  more: { peopleFirst?: boolean; defaultReward?: number } = {},
) => rewardOf(judgements, { rules, peopleFirst: true, defaultReward: null, ...more });

describe('rewardOf', () => {
  it('takes thumbs, in any skin tone, where nothing else is said', () => {
    expect(reward([thumb('👍🏽', '👍')], DEFAULT_RULES)).toBe(1);
    expect(reward([thumb('👎')], DEFAULT_RULES)).toBe(0);
    expect(reward([thumb('👍'), thumb('👎')], DEFAULT_RULES)).toBe(0.5);
    expect(reward([thumb('🎉')], DEFAULT_RULES)).toBeNull();
    expect(reward([thumb('🎉')], DEFAULT_RULES, { defaultReward: -1 })).toBe(-1);
    expect(reward([thumb('🎉')], [{ map: { '🎉': 2 } }])).toBe(2);
  });

  it.each([
    [{ rating: 'overall' }, 0.25],
    [{ tag: 'good' }, 1],
    [{ tag: 'good', map: { good: 5 } }, 5],
    [{ tag: 'bad' }, null],
    [{ path: 'score' }, 3],
    [{ path: 'deep.flag' }, 1],
    [{ path: 'word' }, null],
    [{ path: 'word', map: { fine: 0.5 } }, 0.5],
    [{ path: 'word', map: { other: 1 } }, null],
    [{ path: 'nowhere' }, null],
    [{ path: 'score', feedback_type: 'other' }, null],
    [{ path: 'score', scorer: PERSON }, 3],
    [{ path: 'score', scorer: 'somebody' }, null],
  ] as [RewardRuleDto, number | null][])('finds the number of %j', (rule, number) => {
    const payload = { score: 3, deep: { flag: true }, word: 'fine' };
    expect(reward([judged(payload, { tags: ['good'], ratings: { overall: 0.25 } })], [rule])).toBe(number);
  });

  it.each([
    ['mean', 2],
    ['last', 1],
    ['min', 1],
    ['max', 3],
  ] as const)('joins several numbers by %s', (reduce, number) => {
    const judgements = [2, 3, 1].map((score) => judged({ score }));
    expect(reward(judgements, [{ path: 'score', reduce }])).toBe(number);
  });

  it('weighs the rules that have a number', () => {
    const rules = [{ path: 'a', weight: 3 }, { path: 'b' }, { path: 'none', weight: 100 }];
    expect(reward([judged({ a: 1, b: 0 })], rules)).toBe(0.75);
  });

  it('puts people before scorers, unless it is told not to', () => {
    const rules = [{ rating: 'r' }, { path: 'score' }];
    const judgements = [byJudge({ r: 1 }), judged({ score: 0 })];
    expect(reward(judgements, rules)).toBe(0);
    expect(reward(judgements, rules, { peopleFirst: false })).toBe(0.5);
    expect(reward([byJudge({ r: 1 })], rules)).toBe(1);
  });

  it('knows a scorer by its ref, in any scheme, or by any of its versions', () => {
    for (const [scorer, number] of [
      [`hone:///${JUDGE}`, 1],
      [`weave:///${JUDGE}`, 1],
      ['hone:///acme/p/object/judge:*', 1],
      ['hone:///acme/p/object/jud:*', null],
      ['hone:///acme/p/object/judge:v2', null],
    ] as const)
      expect([scorer, reward([byJudge({ r: 1 })], [{ rating: 'r', scorer }])]).toEqual([scorer, number]);
  });
});
