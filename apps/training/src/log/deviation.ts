/** Squares of larger numbers, or their sums, may be no doubles any more. */
const SAFE_MAGNITUDE = 1e140;
const SCALE = 2 ** 700;

/** Population standard deviation of finite numbers; the same in whatever order they come. 0 for equal ones. */
export function deviation(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  if (least === most) return 0;
  const scale = Math.max(-least, most) > SAFE_MAGNITUDE ? SCALE : 1;
  const scaled = sorted.map((value) => value / scale);
  const mean = sum(scaled) / scaled.length;
  const squares = scaled.map((value) => (value - mean) ** 2);
  return Math.sqrt(sum(squares) / squares.length) * scale;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
