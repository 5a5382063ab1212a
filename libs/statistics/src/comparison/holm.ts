/**
 * P-values adjusted so that the chance of any false rejection stays below the level: S. Holm, Scandinavian Journal of
 * Statistics 6 (1979) 65.
 *
 * @param pValues 0 to 1 each
 * @returns adjusted p-values in the same order, to compare with the level
 * @throws RangeError a p-value is outside 0 to 1
 */
export function holmAdjust(pValues: readonly number[]): number[] {
  const wrong = pValues.findIndex((p) => !(p >= 0 && p <= 1));
  if (wrong >= 0) throw new RangeError(`pValues[${wrong}] must lie between 0 and 1, got ${pValues[wrong]}`);
  const order = pValues.map((_p, at) => at).sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  order.forEach((at, rank) => {
    largest = Math.max(largest, (pValues.length - rank) * (pValues[at] as number));
    adjusted[at] = Math.min(1, largest);
  });
  return adjusted;
}
