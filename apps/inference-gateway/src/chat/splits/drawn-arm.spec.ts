import { SPLIT_PARTS } from '@hone/contracts';

import type { AliasSplit } from '../../catalogue/trained/trained-model.js';
import { drawArm, isShadowed, noteOf, ofProduction } from './drawn-arm.js';

const THREADS = Array.from({ length: 2_000 }, (_, n) => `thread-${n}`);

/** Arms a, b, … with these weights, one after the other. */
function splitOf(weights: readonly number[], id = 'split-1'): AliasSplit {
  let from = 0;
  const ranges = weights.map((weight, at) => {
    const to = from + weight * SPLIT_PARTS;
    const range = { arm: 'abcde'[at] as string, from, to };
    from = to;
    return range;
  });
  const arms = ranges.map(({ arm }) => ({ name: arm, model: `model-${arm}` }));
  return { id, alias: 'production', version: 3, arms, ranges, shadow: null };
}
const armOf = (split: AliasSplit, thread: string) => drawArm(split, thread)?.name ?? 'production';

/** Three standard deviations of a count of independent draws. */
const threeSigma = (share: number) => 3 * Math.sqrt(THREADS.length * share * (1 - share));

describe('the arm of a thread', () => {
  it.each([[[0.05]], [[0.5]], [[0.95]], [[0.05, 0.25, 0.3]], [[0.2, 0.2, 0.2, 0.2, 0.2]]])(
    'is drawn by the weights %j',
    (weights) => {
      const split = splitOf(weights);
      const drawn = THREADS.map((thread) => armOf(split, thread));
      const rest = 1 - weights.reduce((sum, weight) => sum + weight, 0);
      for (const [name, share] of [
        ...weights.map((weight, at) => ['abcde'[at], weight] as const),
        ['production', rest],
      ]) {
        const count = drawn.filter((arm) => arm === name).length;
        expect(Math.abs(count - THREADS.length * (share as number))).toBeLessThanOrEqual(threeSigma(share as number));
      }
    },
  );

  it('is the same in every process and release', () => {
    const split = splitOf([0.5]);
    const drawn = THREADS.slice(0, 24).map((thread) => (armOf(split, thread) === 'a' ? 'a' : '-'));
    expect(drawn.join('')).toBe('a-aaaa--aaa--aa--a-aa---');
  });

  it('is drawn anew by another split', () => {
    const [one, other] = [splitOf([0.5]), splitOf([0.5], 'split-2')];
    const alike = THREADS.filter((thread) => armOf(one, thread) === armOf(other, thread)).length;
    expect(Math.abs(alike - THREADS.length / 2)).toBeLessThanOrEqual(threeSigma(0.5));
  });

  it('is production where all weights are 0, and never where they are all', () => {
    expect(new Set(THREADS.map((thread) => armOf(splitOf([0, 0]), thread)))).toEqual(new Set(['production']));
    expect(new Set(THREADS.map((thread) => armOf(splitOf([1]), thread)))).toEqual(new Set(['a']));
  });
});

describe('the shadow of a request', () => {
  it('is drawn by its share, apart from the arms', () => {
    const shadow = { model: 'm', share: 0.3, maxCostUsdPerDay: null };
    const split = { ...splitOf([0.5]), shadow };
    const shadowed = THREADS.filter((rid) => isShadowed(split, rid));
    expect(Math.abs(shadowed.length - THREADS.length * 0.3)).toBeLessThanOrEqual(threeSigma(0.3));
    const inArm = shadowed.filter((rid) => armOf(split, rid) === 'a').length;
    expect(Math.abs(inArm / shadowed.length - 0.5)).toBeLessThan(0.07);
  });

  it('is none without a shadow', () => {
    expect(THREADS.some((rid) => isShadowed(splitOf([0.5]), rid))).toBe(false);
  });
});

describe('the note of a call', () => {
  it('names the arm, and the one that could not answer', () => {
    const split = splitOf([0.5]);
    const note = { id: 'split-1', alias: 'production', version: 3, arm: 'production' };
    expect(JSON.parse(noteOf(ofProduction(split)))).toEqual(note);
    expect(JSON.parse(noteOf(ofProduction(split, 'a')))).toEqual({ ...note, unresolved: 'a' });
  });
});
