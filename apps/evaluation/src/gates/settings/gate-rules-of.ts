import type { GateBasis } from '@hone/contracts';

import { MEASURES } from '../../comparisons/assembly/run-table.js';
import { TRAITS } from '../decision/answer-traits.js';
import type { GateRules, GuardRule } from '../decision/gate-rules.js';
import type { GateSettings } from './gate-settings.js';

const SCORE = 'scores.';
const MAX_GAP = 0.1;
const SHARES: readonly string[] = ['failed', ...TRAITS];
const RATIOS: readonly string[] = MEASURES.filter((name) => name !== 'failed');
const SLOW = { name: 'slow', of: 'latency_ms' } as const;
/** Names of guards that are no scores. */
export const GUARD_NAMES: readonly string[] = [...RATIOS, SLOW.name, ...SHARES];

/** What every gate looks at, unless it is left out. */
export const DEFAULT_GUARDS: Readonly<Record<string, number>> = {
  ...{ length: 0.25, slow: 0.1, failed: 0.05, refusals: 0.05 },
  ...{ praise: 0.1, bullets: 0.1, copies: 0.1 },
};

/** Scores that guards look at, as metrics. */
export const guardedScores = ({ guards }: Pick<GateSettings, 'guards'>): string[] =>
  Object.keys(guards ?? {}).filter((name) => name.startsWith(SCORE));

/** By what a gate decides, once it is known what its differences are made of. */
export function rulesOf(settings: GateSettings, basis: GateBasis): GateRules {
  return {
    ...{
      minGain: settings.min_gain,
      alpha: settings.alpha,
      lookEvery: settings.look_every,
      maxPairs: settings.max_pairs,
    },
    ...{ basis, labelShare: settings.label_share, acceptsUncorrected: settings.accept_uncorrected ?? false },
    guards: guardsOf(settings, basis),
  };
}

function guardsOf(settings: GateSettings, basis: GateBasis): GuardRule[] {
  const asked = settings.guards ?? {};
  const left = settings.without_guards ?? [];
  const ofDefaults = Object.entries(DEFAULT_GUARDS).filter(
    ([name]) => asked[name] === undefined && !left.includes(name),
  );
  // A judge alone may like what such a guard finds: it could promote before the guard has proof.
  const isOpinion = basis === 'judge';
  return [
    ...Object.entries(asked).map(([name, margin]) => guardOf(name, margin, true)),
    ...ofDefaults.map(([name, margin]) => guardOf(name, margin, isOpinion && (name === 'length' || isTrait(name)))),
    ...(settings.slices ?? []).map(({ name }, at): GuardRule => {
      const of = name ?? `slice ${at + 1}`;
      return { name: of, of, margin: settings.slice_margin, form: 'slice', lowerIsBetter: false, needsProof: false };
    }),
    ...(settings.reward ? [rewardGuard(settings.reward)] : []),
  ];
}

const isTrait = (name: string): boolean => (TRAITS as readonly string[]).includes(name);

function guardOf(name: string, margin: number, needsProof: boolean): GuardRule {
  const common = { name, of: name, margin, needsProof };
  if (name === SLOW.name) return { ...common, of: SLOW.of, form: 'slow', lowerIsBetter: true };
  if (RATIOS.includes(name)) return { ...common, form: 'ratio', lowerIsBetter: true };
  if (SHARES.includes(name)) return { ...common, form: 'share', lowerIsBetter: true };
  return { ...common, form: 'number', lowerIsBetter: false };
}

/** The reward of the training gains more than the metric: the training learned what is rewarded and not what is meant. */
const rewardGuard = ({ metric, max_gap }: NonNullable<GateSettings['reward']>): GuardRule => ({
  ...{ name: `reward ${metric}`, of: metric, margin: max_gap ?? MAX_GAP, form: 'reward' },
  ...{ lowerIsBetter: false, needsProof: false },
});
