import type { GateReason, GateVerdict, GuardState } from '@hone/contracts';

import { type GateLook, limitOf } from './gate-looks.js';
import type { GateRules, GuardRule } from './gate-rules.js';

/** What a gate says, and by what. */
export interface Decision {
  readonly verdict: GateVerdict;
  readonly reason: GateReason;
  /** Guards that are the reason. */
  readonly guards: readonly string[];
}

/** What a look says of a guard; `undefined`: there are too few values to say anything. */
export function guardState(guard: GuardRule, look: GateLook | undefined): GuardState {
  const interval = look?.guards[guard.name] ?? null;
  if (interval === null) return 'undefined';
  if (interval.low > limitOf(guard)) return 'broken';
  return interval.high <= limitOf(guard) ? 'holds' : 'unproven';
}

const BROKEN: Partial<Record<GuardRule['form'], GateReason>> = { reward: 'reward_hacked', slice: 'slice_worse' };

/**
 * What the last look decides. Null: nothing yet.
 *
 * @param isAdvisory whether the judge agrees too little with people to decide anything
 * @param isOver whether no pair comes any more
 */
export function decide(
  look: GateLook | undefined,
  rules: GateRules,
  { isAdvisory, isOver }: { isAdvisory: boolean; isOver: boolean },
): Decision | null {
  if (!look) return isOver ? { verdict: 'undecided', reason: 'too_few_pairs', guards: [] } : null;
  const broken = rules.guards.filter((guard) => guardState(guard, look) === 'broken');
  if (broken.length > 0) {
    const reason = broken.map(({ form }) => BROKEN[form]).find((named) => named !== undefined) ?? 'guard_broken';
    return { verdict: 'reject', reason, guards: namesOf(broken) };
  }
  if (rules.basis === 'judge' && !rules.acceptsUncorrected)
    return { verdict: 'needs_labels', reason: 'uncorrected', guards: [] };
  if (look.gain.high < rules.minGain) return { verdict: 'reject', reason: 'no_gain', guards: [] };
  const isBetter = look.gain.low > rules.minGain;
  if (!isBetter) return isOver ? { verdict: 'undecided', reason: 'pairs_used_up', guards: [] } : null;
  if (isAdvisory && !rules.acceptsUncorrected) return { verdict: 'needs_labels', reason: 'advisory', guards: [] };
  const open = rules.guards.filter((guard) => !mayPass(guard, look));
  if (open.length === 0) return { verdict: 'promote', reason: 'gain', guards: [] };
  if (!isOver) return null;
  const missing = open.filter((guard) => guardState(guard, look) === 'undefined');
  const reason = missing.length > 0 ? 'guard_undefined' : 'guard_unproven';
  return { verdict: 'undecided', reason, guards: namesOf(missing.length > 0 ? missing : open) };
}

/** Proven to hold; where no proof is asked for, it is enough that nothing speaks against it by now. */
function mayPass(guard: GuardRule, look: GateLook): boolean {
  if (guard.needsProof) return guardState(guard, look) === 'holds';
  const interval = look.guards[guard.name] ?? null;
  return interval === null || interval.estimate <= limitOf(guard);
}

const namesOf = (guards: readonly GuardRule[]): string[] => guards.map(({ name }) => name);
