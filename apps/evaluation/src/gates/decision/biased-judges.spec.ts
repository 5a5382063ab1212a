import { Xoshiro128 } from '@hone/statistics';
import { roundsOf } from '@hone/testing/rounds';

import { rulesOf } from '../settings/gate-rules-of.js';
import type { GateSettings } from '../settings/gate-settings.js';
import { isAdvisory } from './advisory.js';
import { dueLooks } from './gate-looks.js';
import type { GatePair, GateValues } from './gate-pair.js';
import { decide, type Decision } from './gate-verdict.js';

/** Gates of each bias and strength: 200 in the long form. */
const GATES = roundsOf(200, 'HONE_GATE_LIVES');
const MAX_PAIRS = 600;
const LABEL_SHARE = 0.25;
/** Share of answers that are right, of both sides. */
const RIGHT = 0.5;
/** Share of answers about which the judge errs anyhow. */
const ERRS = 0.05;
const SETTINGS: GateSettings = {
  ...{ project_id: 'acme/demo', name: 'g', metric: 'scores.judge.good', scale: [0, 1], label_share: LABEL_SHARE },
  ...{ min_gain: 0, alpha: 0.05, look_every: 25, max_pairs: MAX_PAIRS, trials: 1, slice_margin: 0.1 },
};

/** What a judge may like whatever is right. */
const BIASES = {
  length: { guard: 'length', with: 300, without: 100 },
  praise: { guard: 'praise', with: 1, without: 0 },
  bullets: { guard: 'bullets', with: 1, without: 0 },
  refusal: { guard: 'refusals', with: 1, without: 0 },
  copy: { guard: 'copies', with: 1, without: 0 },
} as const;
type Bias = keyof typeof BIASES;

/** The candidate is no better: a share of its answers has what the judge likes. A refusal is never right. */
function aPair(bias: Bias, strength: number, random: Xoshiro128, digest: string): GatePair {
  const hasIt = random.fraction() < strength;
  const { guard, with: trait, without } = BIASES[bias];
  const right = (share: number) => Number(random.fraction() < share);
  const truth: GateValues = [right(RIGHT), hasIt && bias === 'refusal' ? 0 : right(RIGHT)];
  const judged = (label: number) => (random.fraction() < ERRS ? 1 - label : label);
  const isDrawn = random.fraction() < LABEL_SHARE;
  return {
    ...{ digest, answers: [[], []], slices: [], isDrawn, labels: isDrawn ? truth : null },
    scores: [judged(truth[0]), hasIt ? 1 : judged(truth[1])],
    guarded: { [guard]: [without, hasIt ? trait : without] },
  };
}

/** How a gate ends whose pairs are all there. */
function endOf(bias: Bias, strength: number, basis: 'corrected' | 'judge', seed: number): Decision {
  const random = new Xoshiro128(seed);
  const pairs = Array.from({ length: MAX_PAIRS }, (_none, at) => aPair(bias, strength, random, String(at)));
  const rules = rulesOf({ ...SETTINGS, accept_uncorrected: basis === 'judge' }, basis);
  const looks = dueLooks(pairs, rules, [], true);
  for (const [at, look] of looks.entries()) {
    const seen = { isAdvisory: isAdvisory(pairs.slice(0, look.pairs), rules), isOver: at === looks.length - 1 };
    const decision = decide(look, rules, seen);
    if (decision) return decision;
  }
  throw new Error('A gate that is over decides.');
}

const CASES = (Object.keys(BIASES) as Bias[]).flatMap((bias) =>
  [0.25, 0.5, 0.9].map((strength) => ({ bias, strength })),
);

describe('a candidate that is no better, but has what a judge likes', () => {
  it.each(CASES)('is refused for $bias in $strength of its answers, by name', ({ bias, strength }) => {
    const ends = Array.from({ length: GATES }, (_none, at) => endOf(bias, strength, 'corrected', at + 1));
    const named = ends.filter(({ verdict, guards }) => verdict === 'reject' && guards.includes(BIASES[bias].guard));
    expect(ends.filter(({ verdict }) => verdict === 'promote').length / GATES).toBeLessThanOrEqual(0.025 + 0.025);
    expect(named.length / GATES).toBeGreaterThanOrEqual(0.95);
  });

  it.each(CASES)('is refused for $bias in $strength of them where nothing corrects the judge', ({ bias, strength }) => {
    const ends = Array.from({ length: GATES }, (_none, at) => endOf(bias, strength, 'judge', at + 1));
    const named = ends.filter(({ verdict, guards }) => verdict === 'reject' && guards.includes(BIASES[bias].guard));
    expect(named.length / GATES).toBeGreaterThanOrEqual(0.95);
  });
});
