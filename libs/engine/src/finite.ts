/** True when no element is NaN or infinite. */
export function areFinite(values: Float32Array): boolean {
  // A finite number times zero is zero, every other one is NaN, which a sum keeps. Four sums do not wait for each other.
  let [a, b, c, d] = [0, 0, 0, 0];
  const inFours = values.length - (values.length % 4);
  for (let at = 0; at < inFours; at += 4) {
    a += values[at]! * 0;
    b += values[at + 1]! * 0;
    c += values[at + 2]! * 0;
    d += values[at + 3]! * 0;
  }
  for (let at = inFours; at < values.length; at += 1) a += values[at]! * 0;
  return a + b + c + d === 0;
}

/** The largest absolute value; 0 without elements. */
export function largestMagnitude(values: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < values.length; at += 1) {
    const magnitude = Math.abs(values[at]!);
    if (magnitude > largest) largest = magnitude;
  }
  return largest;
}
