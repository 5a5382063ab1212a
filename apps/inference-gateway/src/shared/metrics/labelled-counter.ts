import { LabelCells } from '@hone/platform';

/**
 * A counter with labels that prom-client reads at each scrape. Our own, because prom-client's counter formats and
 * checks the labels at every increment, and every request increments half a dozen counters.
 */
export class LabelledCounter {
  /** Counts since the last scrape. */
  private readonly counted: LabelCells<{ count: number }>;

  /** @param labelNames in the order in which {@link add} takes their values, which should be few */
  constructor(labelNames: readonly string[]) {
    this.counted = new LabelCells(labelNames, () => ({ count: 0 }));
  }

  add(count: number, ...values: string[]): void {
    this.counted.of(values).count += count;
  }

  /** Counts since the last call. */
  take(show: (labels: Readonly<Record<string, string>>, count: number) => void): void {
    for (const { labels, cell } of this.counted.all) {
      show(labels, cell.count);
      cell.count = 0;
    }
  }
}
