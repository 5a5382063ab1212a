import { worstDisagreements } from './disagreements.js';

const LIMIT = 3;
const group = (judge: number, human: number, ...callIds: readonly string[]) => ({
  ...{ judge, human, label: String(human), draws: null, calls: callIds.length, callIds },
  feedbackIds: callIds.map((id) => `of-${id}`),
});
const idsOf = (...groups: readonly ReturnType<typeof group>[]) =>
  worstDisagreements(groups, LIMIT).map(({ callId }) => callId);

describe('worstDisagreements', () => {
  it('has the largest differences first, whichever group is read first', () => {
    const groups = [group(3, 2, 'a', 'b'), group(1, 5, 'c'), group(4, 2, 'd'), group(2, 5, 'e'), group(5, 2, 'f')];
    expect(idsOf(...groups)).toEqual(['c', 'e', 'f']);
    expect(idsOf(...groups.toReversed())).toEqual(['c', 'e', 'f']);
  });

  it('has calls of equal differences by their ids, across groups', () => {
    expect(idsOf(group(1, 0, 'b', 'd'), group(0, 1, 'a', 'c'))).toEqual(['a', 'b', 'c']);
  });

  it('names the feedback that judges each call', () => {
    expect(worstDisagreements([group(1, 0, 'b')], LIMIT)).toEqual([
      { callId: 'b', feedbackId: 'of-b', judge: 1, human: 0 },
    ]);
  });

  it('has nothing where all agree', () => {
    expect(idsOf(group(1, 1, 'a'), group(0, 0, 'b'))).toEqual([]);
  });
});
