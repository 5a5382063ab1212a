import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { momentsOf } from '../data/moments.js';
import { asymptoticLook } from './asymptotic-sequence.js';
import { BettingSequence } from './betting-sequence.js';
import { correctedDifferences } from './corrected-differences.js';

/** Of confseq 0.0.11, by the authors of the paper: `write_sequences.py` makes them. Its ends lie on a grid. */
const SEQUENCES = JSON.parse(readFileSync(join(import.meta.dirname, '../oracle/sequences.json'), 'utf8')) as {
  values: number[];
  level: number;
  grid: number;
  looks: { count: number; low: number; high: number }[];
}[];

describe('a betting sequence', () => {
  it.each(SEQUENCES.map((sequence, at) => ({ at, ...sequence })))(
    'has the ends of its authors in sequence $at',
    ({ values, level, grid, looks }) => {
      const sequence = new BettingSequence([0, 1], level);
      let count = 0;
      for (const { count: next, low, high } of looks) {
        for (const value of values.slice(count, next)) sequence.add(value);
        count = next;
        const look = sequence.look();
        expect(look.count).toBe(count);
        expect(Math.abs(look.low - low)).toBeLessThanOrEqual(2.01 * grid);
        expect(Math.abs(look.high - high)).toBeLessThanOrEqual(2.01 * grid);
      }
    },
  );

  it('is of any range, and of the same form on each', () => {
    const [unit, wide] = [new BettingSequence([0, 1]), new BettingSequence([-1, 1])];
    for (const value of [0, 1, 1, 0.5, 1, 1, 1, 1]) {
      unit.add(value);
      wide.add(2 * value - 1);
    }
    const { low, high, estimate } = unit.look();
    const scaled = wide.look();
    expect(scaled.estimate).toBeCloseTo(2 * estimate - 1, 12);
    expect(scaled.low).toBeCloseTo(2 * low - 1, 10);
    expect(scaled.high).toBeCloseTo(2 * high - 1, 10);
  });

  it('says nothing before its first value, and never takes back what it left out', () => {
    const sequence = new BettingSequence([-1, 1]);
    expect(sequence.look()).toEqual({ count: 0, estimate: 0, low: -1, high: 1 });
    for (let at = 0; at < 100; at++) sequence.add(0.9);
    const early = sequence.look();
    for (let at = 0; at < 300; at++) sequence.add(-0.9);
    const late = sequence.look();
    expect(late.low).toBeGreaterThanOrEqual(early.low);
    expect(late.high).toBeGreaterThanOrEqual(late.low);
  });

  it('refuses what is beyond its bounds', () => {
    const sequence = new BettingSequence([0, 1]);
    for (const value of [-0.1, 1.1, Number.NaN]) expect(() => sequence.add(value)).toThrow(RangeError);
    expect(sequence.look().count).toBe(0);
    expect(() => new BettingSequence([1, 1])).toThrow('bounds must be a range, got 1 to 1');
    expect(() => new BettingSequence([0, Number.NaN])).toThrow(RangeError);
    expect(() => new BettingSequence([0, 1], 1)).toThrow(RangeError);
  });
});

describe('an asymptotic look', () => {
  it('is the formula of the paper', () => {
    const alpha = 0.05;
    const rho = Math.sqrt((-2 * Math.log(alpha) + Math.log(-2 * Math.log(alpha) + 1)) / 250);
    const t = 400;
    const half =
      0.7 * Math.sqrt(((2 * (t * rho ** 2 + 1)) / (t * rho) ** 2) * Math.log(Math.sqrt(t * rho ** 2 + 1) / alpha));
    const look = asymptoticLook({ count: t, mean: 0.1, variance: 0.49 }, 250);
    expect(look).toEqual({
      count: t,
      estimate: 0.1,
      low: expect.closeTo(0.1 - half, 12),
      high: expect.closeTo(0.1 + half, 12),
    });
  });

  it('needs two values', () => {
    expect(() => asymptoticLook(momentsOf([1]), 250)).toThrow('values must be at least 2, got 1');
    expect(() => asymptoticLook(momentsOf([1, 0]), 0)).toThrow(RangeError);
  });
});

describe('corrected differences', () => {
  it('are the judge’s, and where people were asked theirs by their chance', () => {
    expect(correctedDifferences({ judge: [1, 0, 1], human: [null, 1, 0], chances: [0.5, 0.25, 0.5] })).toEqual([
      1, 4, -1,
    ]);
    expect(() => correctedDifferences({ judge: [1], human: [0], chances: [0] })).toThrow(RangeError);
    expect(() => correctedDifferences({ judge: [1, 0], human: [0], chances: [1, 1] })).toThrow(RangeError);
  });
});
