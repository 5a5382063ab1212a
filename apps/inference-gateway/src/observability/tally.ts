import { LabelCells } from '@hone/platform';

/**
 * Counts by labels until `/metrics` is read. The library writes a text of the labels and checks their names each time
 * something is counted, and every request counts half a dozen things.
 */
export class Tally {
  /** As far as they have not been shown yet. */
  private readonly counted: LabelCells<{ count: number }>;

  /** @param labelNames in the order in which {@link add} takes their values, which should be few */
  constructor(labelNames: readonly string[]) {
    this.counted = new LabelCells(labelNames, () => ({ count: 0 }));
  }

  add(count: number, ...values: string[]): void {
    this.counted.of(values).count += count;
  }

  /** What was counted since the last call. */
  take(show: (labels: Readonly<Record<string, string>>, count: number) => void): void {
    for (const { labels, cell } of this.counted.all) {
      show(labels, cell.count);
      cell.count = 0;
    }
  }
}
