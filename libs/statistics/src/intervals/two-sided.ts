import { normalQuantile } from '../distributions/normal.js';
import { studentTQuantile } from '../distributions/student-t.js';

/** The z within which, on both sides of 0, a share `level` of the standard normal distribution lies. */
export function twoSidedNormal(level: number): number {
  return -normalQuantile((1 - level) / 2);
}

/** The t within which, on both sides of 0, a share `level` of Student's distribution lies. */
export function twoSidedT(level: number, degrees: number): number {
  return -studentTQuantile((1 - level) / 2, degrees);
}
