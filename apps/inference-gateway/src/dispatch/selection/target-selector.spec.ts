import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { aRoute, ScriptedTarget } from '../scripted-target.fixture.js';
import { chooseTarget } from './target-selector.js';

describe('choosing a target', () => {
  const clock = new FakeClock();
  const targets = (weights: number[], busy: number[] = []) => {
    const placements = weights.map((weight, index) => ({
      target: new ScriptedTarget(String(index), clock, () => ({ ms: 0 })),
      weight,
    }));
    const list = aRoute(clock, placements).tiers[0]?.targets ?? [];
    for (const [index, count] of busy.entries()) (list[index] as (typeof list)[0]).state.inFlight = count;
    return list;
  };
  const nameOf = (chosen: ReturnType<typeof chooseTarget>) => chosen?.state.target.model;

  it('takes the least busy one for its weight', () => {
    expect(nameOf(chooseTarget(targets([1, 3], [1, 4]), 'least_busy', () => 0))).toBe('1');
    expect(nameOf(chooseTarget(targets([1, 3], [0, 4]), 'least_busy', () => 0))).toBe('0');
  });

  it('breaks ties at random', () => {
    const list = targets([1, 1, 1]);
    expect([0, 0.4, 0.9].map((random) => nameOf(chooseTarget(list, 'least_busy', () => random)))).toEqual([
      '0',
      '1',
      '2',
    ]);
  });

  it('takes them in proportion to their weights', () => {
    const list = targets([1, 3], [9, 9]);
    const chosen = [0, 0.24, 0.26, 0.99].map((random) => nameOf(chooseTarget(list, 'weighted', () => random)));
    expect(chosen).toEqual(['0', '0', '1', '1']);
  });

  it('prefers those that are ready, until they have eight requests more', () => {
    const list = targets([1, 1], [7, 0]);
    Object.assign(list[1]?.state.target as object, { isReady: false });
    expect(nameOf(chooseTarget(list, 'least_busy', () => 0))).toBe('0');
    expect([0, 0.99].map((random) => nameOf(chooseTarget(list, 'weighted', () => random)))).toEqual(['0', '0']);
    Object.assign(list[0]?.state as object, { inFlight: 9 });
    expect(nameOf(chooseTarget(list, 'least_busy', () => 0))).toBe('1');
  });

  it('finds none among none', () => {
    expect(chooseTarget([], 'weighted', () => 0)).toBeNull();
  });
});
