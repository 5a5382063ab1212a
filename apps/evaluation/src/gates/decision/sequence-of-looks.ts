import { asymptoticLook, BettingSequence, momentsOf, type SequenceLook } from '@hone/statistics';

/** How the interval of a figure is made. */
export type SequenceForm =
  | { readonly kind: 'betting'; readonly bounds: readonly [number, number] }
  /** @param narrowestAt how many values it is best for */
  | { readonly kind: 'asymptotic'; readonly narrowestAt: number };

/** Of fewer values no central limit theorem speaks. */
export const MIN_ASYMPTOTIC = 50;

/**
 * Intervals after some of the values, in their order: of each look all values before it count. Together they hold the mean with the
 * chance `level`, and none of them is wider than one before.
 *
 * @param counts of values, ascending; one that is too small has no interval
 * @param before the interval of the last look before them; null: there was none
 */
export function looksAt(
  values: readonly number[],
  counts: readonly number[],
  form: SequenceForm,
  level: number,
  before: Pick<SequenceLook, 'low' | 'high'> | null,
): (SequenceLook | null)[] {
  return form.kind === 'betting'
    ? bettingLooks(values, counts, form.bounds, level, before)
    : asymptoticLooks(values, counts, form.narrowestAt, level, before);
}

function bettingLooks(
  values: readonly number[],
  counts: readonly number[],
  bounds: readonly [number, number],
  level: number,
  before: Pick<SequenceLook, 'low' | 'high'> | null,
): (SequenceLook | null)[] {
  const sequence = new BettingSequence(bounds, level, before ?? undefined);
  let added = 0;
  return counts.map((count) => {
    for (; added < count; added++) sequence.add(values[added] as number);
    return count === 0 ? null : sequence.look();
  });
}

function asymptoticLooks(
  values: readonly number[],
  counts: readonly number[],
  narrowestAt: number,
  level: number,
  before: Pick<SequenceLook, 'low' | 'high'> | null,
): (SequenceLook | null)[] {
  let known = before;
  return counts.map((count) => {
    if (count < MIN_ASYMPTOTIC) return null;
    const { estimate, low, high } = asymptoticLook(momentsOf(values.slice(0, count)), narrowestAt, level);
    const look = { count, estimate, low: Math.max(low, known?.low ?? low), high: Math.min(high, known?.high ?? high) };
    known = look;
    return look;
  });
}
