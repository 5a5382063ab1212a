export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < values.length; at++) total += values[at] as number;
  return total;
}

/** NaN of an empty list. */
export const mean = (values: ArrayLike<number>): number => sum(values) / values.length;

/** One coefficient for every token. */
export const evenly = (lp: ArrayLike<number>, value: number): Float64Array => new Float64Array(lp.length).fill(value);
