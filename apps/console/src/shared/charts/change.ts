/** How a figure compares with that of the time before. */
export interface Change {
  /** `+12 %`. */
  readonly text: string;
  /** Whether it is for the better; undefined: neither, or a matter of taste. */
  readonly isBetter?: boolean;
}

/** A share of change that says nothing. */
const NEGLIGIBLE = 0.005;
const LARGE = 9.995;

/**
 * @param better which way is good; undefined: neither
 * @returns null: there is nothing to compare with
 */
export function changeOf(
  now: number | null | undefined,
  before: number | null | undefined,
  better?: 'more' | 'less',
): Change | null {
  if (typeof now !== 'number' || typeof before !== 'number' || before === 0) return null;
  const share = (now - before) / Math.abs(before);
  if (Math.abs(share) < NEGLIGIBLE) return { text: '±0 %' };
  const text =
    share > LARGE ? `×${Math.round(share + 1)}` : `${share > 0 ? '+' : '−'}${Math.round(Math.abs(share) * 100)} %`;
  return { text, ...(better && { isBetter: share > 0 === (better === 'more') }) };
}
