import { roundsOf } from '@hone/testing/rounds';

import { momentsOf } from '../data/moments.js';
import { samplingChances } from '../labelling/sampling-chances.js';
import { Xoshiro128 } from '../random/xoshiro128.js';
import type { MeanEstimate } from './mean-estimate.js';
import { ppiMean } from './ppi-mean.js';
import { drawPairs, judgedRate, passCounter, type RateWorld } from './simulated-calls.fixture.js';
import { judgeOnlyMean } from './single-source-means.js';
import { weightedMean } from './weighted-mean.js';

const JUDGES = [
  { truePositiveRate: 0.95, trueNegativeRate: 0.95 },
  { truePositiveRate: 0.9, trueNegativeRate: 0.7 },
  { truePositiveRate: 0.8, trueNegativeRate: 0.8 },
  { truePositiveRate: 0.7, trueNegativeRate: 0.95 },
  { truePositiveRate: 0.6, trueNegativeRate: 0.7 },
];
const RATES = [0.1, 0.3, 0.5, 0.7, 0.9];
const OTHERS = 2_000;
/** Of each judge and rate: 10,000 in the long form. */
const RUNS = roundsOf(10_000, 'HONE_COVERAGE_RUNS');
const BAND = { low: 0.94, high: 0.965 };
/** Coverage is a rate itself: three standard errors of it at so many runs. */
const NOISE = 3 * Math.sqrt((0.95 * 0.05) / RUNS);

/** Share of runs whose interval holds the truth. */
function coverageOf(truth: number, runs: number, estimate: () => MeanEstimate): number {
  let held = 0;
  for (let run = 0; run < runs; run++) {
    const { low, high } = estimate();
    if (low <= truth && truth <= high) held++;
  }
  return held / runs;
}

const WORLDS: RateWorld[] = JUDGES.flatMap((judge) => RATES.map((rate) => ({ ...judge, rate })));

describe('95 % intervals of a rate', () => {
  it.each([50, 100, 200])('hold it in 94 to 96.5 %% of samples with %d labels, whatever the judge', (labels) => {
    const random = new Xoshiro128(labels);
    const coverages = WORLDS.map((world) => {
      const others = passCounter(OTHERS, judgedRate(world));
      return coverageOf(world.rate, RUNS, () => ppiMean(drawPairs(world, labels, random), others(random)));
    });
    expect(Math.min(...coverages)).toBeGreaterThan(BAND.low - NOISE);
    expect(Math.max(...coverages)).toBeLessThan(BAND.high + NOISE);
    const mean = coverages.reduce((sum, coverage) => sum + coverage, 0) / coverages.length;
    expect(mean).toBeGreaterThan(BAND.low);
    expect(mean).toBeLessThan(BAND.high);
  });

  it('miss it nearly always where a judge with unequal errors is believed', () => {
    const others = passCounter(OTHERS, judgedRate({ rate: 0.5, truePositiveRate: 0.9, trueNegativeRate: 0.7 }));
    const random = new Xoshiro128(1);
    expect(coverageOf(0.5, 200, () => judgeOnlyMean(others(random), true))).toBe(0);
  });

  it('hold it with labels drawn by uncertainty', () => {
    const random = new Xoshiro128(2);
    // A calibrated judge: people pass a call with the chance that it gives, which is spread evenly over 0 to 1.
    const coverage = coverageOf(0.5, RUNS, () => {
      const scores = Array.from({ length: 600 }, () => random.fraction());
      const uncertainties = scores.map((score) => Math.sqrt(score * (1 - score)));
      const chances = samplingChances(uncertainties, 120);
      const isDrawn = chances.map((chance) => random.fraction() < chance);
      const drawn = (values: number[]) => values.filter((_value, at) => isDrawn[at]);
      const human = drawn(scores).map((score) => (random.fraction() < score ? 1 : 0));
      const others = momentsOf(scores.filter((_score, at) => !isDrawn[at]));
      return weightedMean({ human, judge: drawn(scores), chances: drawn(chances) }, others);
    });
    expect(coverage).toBeGreaterThan(BAND.low - NOISE);
    expect(coverage).toBeLessThan(BAND.high + NOISE);
  });
});

describe('95 % intervals of a mean rating', () => {
  it.each([
    [50, 0.5],
    [50, 2],
    [200, 1],
  ])('hold it in 94 to 96.5 %% of samples with %d labels and a judge that errs by %d steps', (labels, error) => {
    const random = new Xoshiro128(labels + error);
    const rate = (quality: number) => Math.min(5, Math.max(1, Math.round(quality)));
    const quality = () => 3 + 2 * (random.fraction() + random.fraction() - 1);
    const judged = (truth: number) => rate(truth + 0.5 + error * 2 * (random.fraction() - 0.5));
    // Symmetric about 3.
    const coverage = coverageOf(3, RUNS, () => {
      const human: number[] = [];
      const judge: number[] = [];
      for (let label = 0; label < labels; label++) {
        const truth = quality();
        human.push(rate(truth));
        judge.push(judged(truth));
      }
      return ppiMean({ human, judge }, momentsOf(Array.from({ length: 400 }, () => judged(quality()))));
    });
    expect(coverage).toBeGreaterThan(BAND.low - NOISE);
    expect(coverage).toBeLessThan(BAND.high + NOISE);
  });
});
