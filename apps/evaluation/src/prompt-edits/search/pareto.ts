/** A candidate with how good it is on each row, the more the better; null: nobody knows. */
export interface Rated {
  readonly id: number;
  readonly gains: readonly (number | null)[];
}

/** A candidate that is the best on rows, and on how many. */
export interface OnFront {
  readonly id: number;
  readonly rows: number;
}

/**
 * The candidates that are the best on at least one row, each with how many, without those that another one of them is never worse than
 * and somewhere better. Of equal ones the first stays.
 */
export function paretoFront(candidates: readonly Rated[]): OnFront[] {
  const count = candidates[0]?.gains.length ?? 0;
  const best = Array.from({ length: count }, (_, row) =>
    candidates.reduce((most, { gains }) => Math.max(most, gains[row] ?? -Infinity), -Infinity),
  );
  const leads = ({ gains }: Rated): number =>
    best.filter((most, row) => most !== -Infinity && gains[row] === most).length;
  const leaders = candidates.filter((candidate) => leads(candidate) > 0);
  const isDominated = (one: Rated, at: number): boolean =>
    leaders.some((other, otherAt) => other !== one && dominates(other, one, otherAt < at));
  return leaders.filter((one, at) => !isDominated(one, at)).map((one) => ({ id: one.id, rows: leads(one) }));
}

/** @param winsTies whether it does so by being equal */
function dominates({ gains: own }: Rated, { gains: others }: Rated, winsTies: boolean): boolean {
  let isBetter = winsTies;
  for (const [row, other] of others.entries()) {
    const gain = own[row] ?? -Infinity;
    if (gain < (other ?? -Infinity)) return false;
    if (gain > (other ?? -Infinity)) isBetter = true;
  }
  return isBetter;
}

/** One of the front, as often as the rows on which it is the best. @param draw from 0 to below 1 */
export function drawn(front: readonly OnFront[], draw: number): number | null {
  let left = draw * front.reduce((sum, { rows }) => sum + rows, 0);
  for (const { id, rows } of front) {
    left -= rows;
    if (left < 0) return id;
  }
  return front.at(-1)?.id ?? null;
}
