/**
 * Nats, by which the rounding of what weights in blocks are multiplied with may change the log-probabilities of a small
 * model, as root of the mean square.
 */
export const ROUNDED = 0.05;

export function rootMeanSquare(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  expect(found).toHaveLength(expected.length);
  let sum = 0;
  for (let at = 0; at < found.length; at += 1) sum += (found[at]! - expected[at]!) ** 2;
  return Math.sqrt(sum / found.length);
}
