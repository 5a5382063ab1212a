import { type Outcome, verdict, withoutVerdict } from '../scorer-kind.js';
import { BETTER, ofBothOrders, STEPS } from './order-answers.js';

/** What a judge says of one order. */
const says = (step: keyof typeof STEPS, reason = step as string): Outcome =>
  verdict({
    ratings: [{ name: BETTER, value: STEPS[step], scale: [0, 2], spread: null }],
    ...{ reason, judgeCall: `hone:///a/b/call/${reason}`, costNanoUsd: 5 },
  });
const win = ({ ratings }: Outcome) => ratings[0]?.value;

describe('the verdict of both orders', () => {
  // In the first order the call's answer stands first, in the second one second.
  it.each([
    ['first', 'second', 1, []],
    ['second', 'first', 0, []],
    ['tie', 'tie', 0.5, []],
    ['first', 'first', 0.5, ['flipped']],
    ['second', 'second', 0.5, ['flipped']],
    ['first', 'tie', 0.5, ['flipped']],
    ['tie', 'first', 0.5, ['flipped']],
  ] as const)('of %s, then %s is %d', (one, other, expected, tags) => {
    const outcome = ofBothOrders([says(one), says(other)]);
    expect(win(outcome)).toBe(expected);
    expect(outcome.tags).toEqual(tags);
    expect(outcome.state).toBe('done');
  });

  it('keeps what was answered in each, and sums costs', () => {
    const { details, costNanoUsd, reason, judgeCall } = ofBothOrders([says('first', 'a'), says('tie', 'b')]);
    expect(details).toEqual({
      orders: [
        { first: 'call', better: 'call', reason: 'a', call: 'hone:///a/b/call/a' },
        { first: 'other', better: 'tie', reason: 'b', call: 'hone:///a/b/call/b' },
      ],
    });
    expect(costNanoUsd).toBe(10);
    expect([reason, judgeCall]).toEqual(['a', 'hone:///a/b/call/a']);
  });

  it('has a cost that is not known yet where one order has', () => {
    const open = { ...says('first'), isCostOpen: true };
    expect(ofBothOrders([open, says('second')])).toMatchObject({ state: 'done', isCostOpen: true });
    expect(ofBothOrders([says('first'), says('second')]).isCostOpen).toBe(false);
    const skipped = withoutVerdict('skipped', 'missing_messages');
    expect(ofBothOrders([open, skipped])).toMatchObject({ state: 'skipped', isCostOpen: true, costNanoUsd: 5 });
  });

  it('is none where one order has none, by the failure that stays', () => {
    const passing = withoutVerdict('failed', 'gateway_unreachable', { isTransient: true, isCostOpen: true });
    const lasting = withoutVerdict('failed', 'model_not_found', { costNanoUsd: 2 });
    expect(ofBothOrders([says('first'), passing])).toMatchObject({
      ...{ state: 'failed', code: 'gateway_unreachable', isTransient: true, isCostOpen: true, costNanoUsd: 5 },
    });
    expect(ofBothOrders([passing, lasting])).toMatchObject({
      ...{ code: 'model_not_found', isTransient: false, isCostOpen: true, costNanoUsd: 2 },
    });
    expect(ofBothOrders([withoutVerdict('skipped', 'missing_messages'), passing]).state).toBe('skipped');
  });
});
