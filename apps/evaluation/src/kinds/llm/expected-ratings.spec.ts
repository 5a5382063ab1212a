import type { JudgeDto } from '@hone/contracts';

import { expectedRatings } from './expected-ratings.js';

const judge = (...scales: (readonly [name: string, min: number, max: number])[]): JudgeDto => ({
  model: 'm',
  messages: [{ role: 'user', content: '{{output}}' }],
  ratings: scales.map(([name, min, max]) => ({ name, min, max })),
});
type Alternatives = Readonly<Record<string, number>>;
/** Tokens with their alternatives' probabilities; a text alone is sure of itself. */
const logprobsOf = (...tokens: readonly (string | readonly [string, Alternatives])[]) => ({
  content: tokens.map((one) => {
    const [token, alternatives] = typeof one === 'string' ? [one, { [one]: 1 }] : one;
    const top_logprobs = Object.entries(alternatives).map(([text, p]) => ({ token: text, logprob: Math.log(p) }));
    return { token, logprob: 0, top_logprobs };
  }),
});
const ANSWER = '{"reason": "says \\"good\\": 1", "good": 4, "ok": true}';
const BEFORE = '{"reason": "says \\"good\\": 1", "good":';
const AFTER = ', "ok": true}';

describe('a rating as a mean over its scale', () => {
  it('weighs the numbers of the scale by how likely each is', () => {
    const logprobs = logprobsOf(BEFORE, ' ', ['4', { '4': 0.5, '5': 0.3, '9': 0.1, x: 0.1 }], AFTER, '<|end|>');
    const { good } = expectedRatings(judge(['good', 1, 5]), ANSWER, logprobs);
    expect(good).toBeCloseTo((4 * 0.5 + 5 * 0.3) / 0.8, 12);
  });

  it('reads tokens that hold more than the number', () => {
    const logprobs = logprobsOf(BEFORE, [' 4', { ' 4': 0.6, ' 1': 0.2, '4': 0.2 }], AFTER);
    expect(expectedRatings(judge(['good', 1, 5]), ANSWER, logprobs)['good']).toBeCloseTo((4 * 0.6 + 0.2) / 0.8, 12);
    const whole = logprobsOf(BEFORE, [' 4,', { ' 4,': 0.5, ' 2,': 0.5, ' 2}': 0.5 }], AFTER.slice(1));
    expect(expectedRatings(judge(['good', 1, 5]), ANSWER, whole)['good']).toBeCloseTo(3, 12);
  });

  it('never lies beyond the scale, whatever is rounded', () => {
    // 5p / p of this p is 5.000000000000001.
    const logprobs = logprobsOf(BEFORE, ' ', ['4', { '5': 0.8717364320403393, x: 0.1 }], AFTER);
    expect(expectedRatings(judge(['good', 1, 5]), ANSWER, logprobs)['good']).toBe(5);
  });

  it.each([
    ['a scale of more digits', judge(['good', 1, 10]), logprobsOf(BEFORE, ' ', '4', AFTER)],
    ['a scale below 0', judge(['good', -1, 5]), logprobsOf(BEFORE, ' ', '4', AFTER)],
    ['no log-probabilities', judge(['good', 1, 5]), null],
    ['those of another text', judge(['good', 1, 5]), logprobsOf('{"good": 4}')],
    ['none of the numbers', judge(['good', 1, 5]), logprobsOf(BEFORE, ' ', ['4', { x: 1 }], AFTER)],
    ['no such member', judge(['other', 1, 5]), logprobsOf(BEFORE, ' ', '4', AFTER)],
    ['nonsense', judge(['good', 1, 5]), { content: [5, null, { token: 7 }] }],
  ])('is left out where there is %s', (_what, asked, logprobs) => {
    expect(expectedRatings(asked, ANSWER, logprobs as never)).toEqual({});
  });
});
