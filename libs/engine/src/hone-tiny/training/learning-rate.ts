/** A rise over the first `warmUp` steps, then half a cosine down to a twentieth of the peak. */
export function learningRateAt(step: number, { steps, peak, warmUp }: { steps: number; peak: number; warmUp: number }) {
  const rise = Math.min(1, (step + 1) / warmUp);
  const fall = 0.5 * (1 + Math.cos((Math.PI * step) / steps));
  return peak * rise * (0.05 + 0.95 * fall);
}
