const HEIGHT = 6;
const WIDTH = 60;
const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * A curve as bars of text, lowest value at the bottom line: one bar per value, or per run of values when there are
 * more than fit.
 *
 * @param values finite, in order; none: an empty text
 */
export function plot(title: string, values: readonly number[]): string {
  if (values.length === 0) return '';
  const bars = shorten(values);
  const low = Math.min(...bars);
  const high = Math.max(...bars);
  const span = high - low || 1;
  const levels = bars.map((value) => 1 + Math.round(((value - low) / span) * (HEIGHT * 8 - 1)));
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const base = (HEIGHT - 1 - row) * 8;
    return levels.map((level) => EIGHTHS[Math.max(0, Math.min(8, level - base))]).join('');
  });
  const labels = [high.toPrecision(3), ...Array<string>(HEIGHT - 2).fill(''), low.toPrecision(3)];
  const margin = Math.max(...labels.map((label) => label.length));
  return [title, ...rows.map((row, index) => `  ${(labels[index] as string).padStart(margin)} │${row}`)].join('\n');
}

/** At most as many values as the plot is wide: means of neighbours. */
function shorten(values: readonly number[]): number[] {
  const run = Math.ceil(values.length / WIDTH);
  return Array.from({ length: Math.ceil(values.length / run) }, (_, index) => {
    const part = values.slice(index * run, (index + 1) * run);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}

export const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
