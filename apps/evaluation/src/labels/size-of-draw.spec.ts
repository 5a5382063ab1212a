import { Xoshiro128 } from '@hone/statistics';

import type { Criterion } from '../truth/criterion.js';
import { chancesOf } from './label-draw.js';
import { sizeOfDraw } from './size-of-draw.js';
import { uncertaintiesOf } from './uncertainty.js';

const CRITERION: Criterion = { name: 'quality', isTag: false, scale: [0, 10] };

describe('sizeOfDraw', () => {
  const random = new Xoshiro128(1);
  const calls = Array.from({ length: 500 }, (_none, at) => ({
    ...{ callId: `call-${at}`, stratum: '', verdict: 10 * random.fraction() },
    spread: at % 5 === 0 ? 0 : random.fraction() ** 3,
  }));
  /** Sum of the chances of calls without a label. */
  const sumOf = (size: number, isLabelled: (at: number) => boolean): number =>
    chancesOf(uncertaintiesOf(calls, CRITERION).values, size).reduce(
      (sum, chance, at) => sum + (isLabelled(at) ? 0 : chance),
      0,
    );
  const sizeFor = (labels: number, isLabelled: (at: number) => boolean): Promise<number> =>
    sizeOfDraw(calls, (call) => isLabelled(calls.indexOf(call)), CRITERION, labels);

  it.each([
    ['half of the calls', (at: number) => at % 2 === 0],
    ['those of which the judge is least sure', (at: number) => (calls[at]?.spread ?? 0) > 0.3],
    ['those of which it is sure', (at: number) => calls[at]?.spread === 0],
    ['all but one', (at: number) => at !== 7],
  ])('adds as many labels as are wanted where %s have one', async (_what, isLabelled) => {
    const unlabelled = calls.filter((_call, at) => !isLabelled(at)).length;
    for (const share of [0.001, 0.1, 0.5, 0.9, 0.999]) {
      const labels = share * unlabelled;
      const size = await sizeFor(labels, isLabelled);
      expect(sumOf(size, isLabelled) / labels).toBeCloseTo(1, 6);
      expect(size).toBeGreaterThan(labels);
    }
  });

  it('is the number of labels where no call has one, and all calls where every other call is needed', async () => {
    expect(await sizeFor(20, () => false)).toBe(20);
    for (const labels of [1, 2, 100]) expect(await sizeFor(labels, (at) => at !== 7)).toBe(500);
    expect(await sizeFor(1, () => true)).toBe(500);
  });
});
