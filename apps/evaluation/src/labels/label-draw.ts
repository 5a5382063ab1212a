import type { Uncertainty } from '@hone/contracts';
import { samplingChances } from '@hone/statistics';

import { isDrawn } from '../judged-calls/draw.js';
import type { Criterion } from '../truth/criterion.js';
import { type JudgedValue, uncertaintiesOf } from './uncertainty.js';

/**
 * Least chance, as a share of the mean one: also calls that the judge is sure of are drawn, as it may be wrong. Label queues
 * give it to `samplingChances` in place of its own least chance, which is the same however few calls are drawn.
 */
const FLOOR_SHARE = 0.5;
const MAX_STRATA = 50;

/** A judged call that may be drawn. */
export interface DrawableCall extends JudgedValue {
  readonly callId: string;
  /** Value of the field for strata. */
  readonly stratum: string;
}

/** A call with its chance to be drawn. */
export interface CallChance<Call> {
  readonly call: Call;
  readonly chance: number;
  readonly isDrawn: boolean;
}

/** What was drawn of a stratum; the value null stands for all that are not told apart. */
export interface DrawnStratum<Call> {
  readonly value: string | null;
  readonly calls: readonly CallChance<Call>[];
}

export interface LabelDraw<Call> {
  readonly by: Uncertainty;
  /** The largest first. */
  readonly strata: readonly DrawnStratum<Call>[];
}

/**
 * Draws calls for labelling, each for itself, with chances that follow the judge's uncertainty within each stratum.
 *
 * @param size calls to draw on average, above 0; all strata get as many, as far as they have them
 * @param seed the same draws the same
 */
export function drawCalls<Call extends DrawableCall>(
  calls: readonly Call[],
  criterion: Criterion,
  size: number,
  seed: number,
): LabelDraw<Call> {
  const uncertainties = uncertaintiesOf(calls, criterion);
  const uncertaintyOf = new Map(calls.map((call, at) => [call, uncertainties.values[at] as number]));
  const strata = strataOf(calls);
  const sizes = sharesOf(
    strata.map((stratum) => stratum.calls.length),
    size,
  );
  return {
    by: uncertainties.by,
    strata: strata.map(({ value, calls: some }, at) => {
      const chances = chancesOf(
        some.map((call) => uncertaintyOf.get(call) as number),
        sizes[at] as number,
      );
      const drawn = some.map((call, index) => {
        const chance = chances[index] as number;
        return { call, chance, isDrawn: isDrawn(String(seed), call.callId, chance) };
      });
      return { value, calls: drawn };
    }),
  };
}

/** Chances that add up to so many of the calls. */
export function chancesOf(uncertainties: readonly number[], labels: number): number[] {
  const calls = uncertainties.length;
  return labels >= calls
    ? uncertainties.map(() => 1)
    : samplingChances(uncertainties, labels, (labels / calls) * FLOOR_SHARE);
}

/** The largest strata, and one of all others. */
function strataOf<Call extends DrawableCall>(calls: readonly Call[]): { value: string | null; calls: Call[] }[] {
  const byValue = new Map<string, Call[]>();
  for (const call of calls) {
    const some = byValue.get(call.stratum);
    if (some) some.push(call);
    else byValue.set(call.stratum, [call]);
  }
  const strata = [...byValue].map(([value, some]) => ({ value: value as string | null, calls: some }));
  strata.sort((a, b) => b.calls.length - a.calls.length || ((a.value as string) < (b.value as string) ? -1 : 1));
  if (strata.length <= MAX_STRATA) return strata;
  const rest = strata.splice(MAX_STRATA - 1);
  return [...strata, { value: null, calls: rest.flatMap((stratum) => stratum.calls) }];
}

/** Equal shares of the labels; what a stratum has no calls for, the others share. */
function sharesOf(counts: readonly number[], labels: number): number[] {
  const shares = counts.map(() => 0);
  let left = labels;
  const ascending = counts.map((count, at) => ({ count, at })).sort((a, b) => a.count - b.count);
  ascending.forEach(({ count, at }, index) => {
    const share = Math.min(count, left / (counts.length - index));
    shares[at] = share;
    left -= share;
  });
  return shares;
}
