import { correctedDifferences, type SequenceLook } from '@hone/statistics';

import { differenceOf, type GatePair } from './gate-pair.js';
import type { GateRules, GuardRule } from './gate-rules.js';
import { looksAt, MIN_ASYMPTOTIC, type SequenceForm } from './sequence-of-looks.js';

/** What was known after some pairs. */
export interface GateLook {
  readonly pairs: number;
  /** Pairs among them that people judged. */
  readonly labels: number;
  /** Of the mean gain. */
  readonly gain: GateInterval;
  /** Guard -> its mean loss beside what is accepted. Null: there are too few values. */
  readonly guards: Readonly<Record<string, GateInterval | null>>;
}

export type GateInterval = Omit<SequenceLook, 'count'>;

/** Of a judge whose scores labels correct, this many labels come before the first look. */
export const MIN_GATE_LABELS = 50;

/** Pairs from the first on of which nothing is awaited: what people did not judge yet holds up those behind it. */
export function settledPairs(pairs: readonly GatePair[], { basis }: Pick<GateRules, 'basis'>): readonly GatePair[] {
  if (basis === 'fact' || basis === 'judge') return pairs;
  const open = pairs.findIndex(({ isDrawn, labels }) => isDrawn && labels === null);
  return open < 0 ? pairs : pairs.slice(0, open);
}

/**
 * The looks that are due: after each `lookEvery` pairs, and after the last one.
 *
 * @param settled of which nothing is awaited any more
 * @param done the looks so far
 * @param isLast whether no pair comes after them
 */
export function dueLooks(
  settled: readonly GatePair[],
  rules: GateRules,
  done: readonly GateLook[],
  isLast: boolean,
): GateLook[] {
  const counts = dueCounts(settled, rules, done.at(-1)?.pairs ?? 0, isLast);
  if (counts.length === 0) return [];
  const last = done.at(-1) ?? null;
  const gains = looksAt(gainsOf(settled, rules), counts, gainForm(rules), 1 - rules.alpha, last?.gain ?? null);
  const guards = rules.guards.map((guard): [GuardRule, (GateInterval | null)[]] => [
    guard,
    guardLooks(guard, settled, counts, rules, last?.guards[guard.name] ?? null),
  ]);
  return counts.flatMap((pairs, at): GateLook[] => {
    const gain = gains[at];
    if (!gain) return [];
    const labels = labelled(settled.slice(0, pairs));
    return [
      {
        ...{ pairs, labels, gain: toInterval(gain) },
        guards: Object.fromEntries(guards.map(([{ name }, looks]) => [name, looks[at] ?? null])),
      },
    ];
  });
}

const labelled = (pairs: readonly GatePair[]): number =>
  pairs.filter(({ isDrawn, labels }) => isDrawn && labels !== null).length;

function dueCounts(settled: readonly GatePair[], rules: GateRules, from: number, isLast: boolean): number[] {
  const { lookEvery, basis } = rules;
  const counts: number[] = [];
  for (let count = (Math.floor(from / lookEvery) + 1) * lookEvery; count <= settled.length; count += lookEvery)
    counts.push(count);
  if (isLast && settled.length > (counts.at(-1) ?? from)) counts.push(settled.length);
  return basis === 'corrected'
    ? counts.filter((count) => labelled(settled.slice(0, count)) >= MIN_GATE_LABELS)
    : counts;
}

/** How much better the candidate is in each pair, as far as it is known. */
export function gainsOf(pairs: readonly GatePair[], { basis, labelShare }: GateRules): number[] {
  const judge = pairs.map(({ scores }) => differenceOf(scores));
  if (basis === 'fact' || basis === 'judge') return judge;
  const human = pairs.map(({ isDrawn, labels }) => (isDrawn && labels ? differenceOf(labels) : null));
  if (basis === 'people') return human.map((difference) => difference as number);
  return correctedDifferences({ judge, human, chances: pairs.map(() => labelShare) });
}

/** Differences of values from 0 to 1 are bounded; what labels correct is not. */
const gainForm = ({ basis, maxPairs }: GateRules): SequenceForm =>
  basis === 'corrected'
    ? { kind: 'asymptotic', narrowestAt: Math.ceil(maxPairs / 2) }
    : { kind: 'betting', bounds: [-1, 1] };

const toInterval = ({ estimate, low, high }: SequenceLook): GateInterval => ({ estimate, low, high });

/** The guard's mean loss at each look: it holds where it is at most `limitOf`. */
function guardLooks(
  guard: GuardRule,
  pairs: readonly GatePair[],
  counts: readonly number[],
  rules: GateRules,
  before: GateInterval | null,
): (GateInterval | null)[] {
  const losses: number[] = [];
  const gains = gainsOf(pairs, rules);
  const limit = guard.form === 'slow' ? slowLimit(pairs, guard.of) : null;
  const upTo = counts.map(() => 0);
  let look = 0;
  for (const [at, pair] of pairs.entries()) {
    while (look < counts.length && at >= (counts[look] as number)) upTo[look++] = losses.length;
    const loss = lossOf(guard, pair, gains[at] as number, limit);
    if (loss !== null) losses.push(loss);
  }
  while (look < counts.length) upTo[look++] = losses.length;
  const form = guardForm(guard, rules);
  return looksAt(losses, upTo, form, 1 - rules.alpha, before).map((found) => found && toInterval(found));
}

/** By how much the candidate is worse in one pair. Null: the pair says nothing about the guard. */
function lossOf(guard: GuardRule, pair: GatePair, gain: number, slowMs: number | null): number | null {
  const { form, margin, lowerIsBetter } = guard;
  if (form === 'slice') return pair.slices.includes(guard.of) ? -gain : null;
  const values = pair.guarded[guard.of];
  if (!values) return null;
  const [baseline, candidate] = values;
  if (form === 'reward') return candidate - baseline - gain;
  if (form === 'ratio') return candidate - (1 + margin) * baseline;
  if (form === 'slow') return slowMs === null ? null : Number(candidate > slowMs) - Number(baseline > slowMs);
  return lowerIsBetter ? candidate - baseline : baseline - candidate;
}

/**
 * Twice the 95th percentile of the baseline's first values: later ones do not move it, and what a busy machine does to either side
 * does not exceed it. Null: there are too few.
 */
function slowLimit(pairs: readonly GatePair[], of: string): number | null {
  const first = pairs.flatMap(({ guarded }) => guarded[of]?.[0] ?? []).slice(0, MIN_ASYMPTOTIC);
  if (first.length < MIN_ASYMPTOTIC) return null;
  return SLOW_TIMES * (first.sort((a, b) => a - b)[Math.ceil(SLOW_SHARE * first.length) - 1] as number);
}

const SLOW_SHARE = 0.95;
const SLOW_TIMES = 2;

function guardForm({ form }: GuardRule, { basis, maxPairs }: GateRules): SequenceForm {
  const isBounded =
    form === 'share' || form === 'slow' || ((form === 'slice' || form === 'reward') && basis !== 'corrected');
  if (!isBounded) return { kind: 'asymptotic', narrowestAt: Math.max(MIN_ASYMPTOTIC, Math.ceil(maxPairs / 2)) };
  return { kind: 'betting', bounds: form === 'reward' ? [-2, 2] : [-1, 1] };
}

/** Largest mean loss with which a guard holds. What is a ratio has its margin within the losses. */
export const limitOf = ({ form, margin }: GuardRule): number => (form === 'ratio' ? 0 : margin);
