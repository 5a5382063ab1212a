/** The least and the greatest value that an axis shows. */
export type ValueRange = [min: number, max: number];

/** Values that differ by less than this part of their size are drawn as one: an axis has no finer steps than that. */
const FLAT = 1e-6;
/** Beyond these, differences of values and steps of an axis overflow or vanish. */
const LARGEST = 1e300;
const SMALLEST = 1e-300;
/** Room above and below the curve, as a part of its height. */
const PADDING = 0.1;

/** What an axis has to show without a value, or with zeros alone. */
const UNIT: ValueRange = [0, 1];

/**
 * The range of an axis that shows values from `min` to `max`, with room around them; one that is about flat begins at zero.
 *
 * @param min, max null or not finite: there is no value
 */
export function valueRange(min: number | null, max: number | null): ValueRange {
  if (min === null || max === null || Number.isNaN(min) || Number.isNaN(max)) return UNIT;
  const [low, high] = [within(min), within(max)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size < SMALLEST) return UNIT;
  if (high - low <= FLAT * size) return [Math.min(0, 2 * low), Math.max(0, 2 * high)];
  const padding = PADDING * (high - low);
  return [
    low >= 0 ? Math.max(0, low - padding) : low - padding,
    high <= 0 ? Math.min(0, high + padding) : high + padding,
  ];
}

const within = (value: number): number => Math.min(Math.max(value, -LARGEST), LARGEST);

/** What a chart draws of values: null leaves a gap, as does what is no number that an axis can show. */
export const drawable = (values: readonly (number | null)[]): (number | null)[] =>
  values.map((value) => (value !== null && Math.abs(value) <= LARGEST ? value : null));
