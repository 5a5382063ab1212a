const MAX_SCALE = 10;

/**
 * Factor of the learning rate that follows how much rewards still differ within their groups: the least-squares line
 * through the logged deviations, at the last step, divided by its value at step 0. 1 while it says nothing; 0 to 10.
 *
 * @param logged ascending by step
 */
export function learningRateScale(logged: readonly { readonly step: number; readonly mean: number }[]): number {
  const last = logged.at(-1);
  if (!last || logged.length < 2) return 1;
  const n = logged.length;
  const meanStep = logged.reduce((sum, { step }) => sum + step, 0) / n;
  const mean = logged.reduce((sum, point) => sum + point.mean, 0) / n;
  const covariance = logged.reduce((sum, point) => sum + (point.step - meanStep) * (point.mean - mean), 0);
  const variance = logged.reduce((sum, { step }) => sum + (step - meanStep) ** 2, 0);
  const slope = covariance / variance;
  const intercept = mean - slope * meanStep;
  if (!(intercept > 0)) return 1;
  return Math.min(MAX_SCALE, Math.max(0, (intercept + slope * last.step) / intercept));
}
