import { labelChance, labelledShares } from './label-chances.js';
import type { CallDraw } from './verdict-groups.js';

const draw = (queueId: string, chance: number, more: Partial<CallDraw> = {}): CallDraw => ({
  ...{ queueId, seed: queueId.length, chance, isDrawn: true, isKnown: false },
  ...more,
});
const drawn = (calls: number, isLabelled: boolean, ...queues: string[]) => ({
  ...{ calls, isLabelled },
  draws: queues.map((queue) => draw(queue, 0.5)),
});
const ALL = new Map([
  ['a', 1],
  ['bb', 1],
]);

describe('labelChance', () => {
  it('is that of the only queue, times the share of its calls that people have labelled', () => {
    expect(labelChance([draw('a', 0.2)], ALL)).toBeCloseTo(0.2, 14);
    expect(labelChance([draw('a', 0.2, { isDrawn: false })], new Map([['a', 0.5]]))).toBeCloseTo(0.1, 14);
  });

  it('is that of any of independent queues', () => {
    expect(labelChance([draw('a', 0.2), draw('bb', 0.5)], ALL)).toBeCloseTo(1 - 0.8 * 0.5, 14);
  });

  it('is the largest of queues of one seed, which draw alike', () => {
    expect(labelChance([draw('a', 0.2, { seed: 7 }), draw('bb', 0.5, { seed: 7 })], ALL)).toBeCloseTo(0.5, 14);
  });

  it('is 1 of what was labelled before', () => {
    expect(labelChance([draw('a', 0.2), draw('bb', 1, { isKnown: true })], ALL)).toBe(1);
  });
});

describe('labelledShares', () => {
  it('are of the calls that no other queue drew', () => {
    const shares = labelledShares([
      ...[drawn(30, true, 'a'), drawn(10, false, 'a'), drawn(5, true, 'a', 'bb'), drawn(20, false, 'bb')],
      ...[drawn(20, true, 'bb'), drawn(7, true), { draws: null, calls: 9, isLabelled: true }],
    ]);
    expect(shares).toEqual(
      new Map([
        ['a', 0.75],
        ['bb', 0.5],
      ]),
    );
  });

  it('are 0 of a queue that nobody has worked on, whatever labels its calls have by others', () => {
    const shares = labelledShares([drawn(6, false, 'a'), drawn(2, true, 'a', 'bb'), drawn(2, true, 'bb')]);
    expect(shares.get('a')).toBe(0);
    expect(shares.get('bb')).toBe(1);
  });

  it('are of all its calls where nothing else explains a label, so that none has the chance 0', () => {
    const shares = labelledShares([drawn(6, false, 'a'), drawn(2, true, 'a', 'bb'), drawn(3, false, 'bb')]);
    expect(shares.get('a')).toBeCloseTo(2 / 8, 14);
    expect(shares.get('bb')).toBeCloseTo(2 / 5, 14);
  });

  it('leave out what was known before', () => {
    const known = { draws: [draw('a', 1, { isKnown: true })], calls: 50, isLabelled: true };
    expect(labelledShares([known, drawn(1, true, 'a'), drawn(3, false, 'a')]).get('a')).toBe(0.25);
  });
});
