/** A counter's values by labels, as far as they have not been shown yet. */
interface Counted {
  readonly labels: Readonly<Record<string, string>>;
  count: number;
}

/**
 * Counts by labels until `/metrics` is read. The library writes a text of the labels and checks their names each time
 * something is counted, and every request counts half a dozen things.
 */
export class Tally {
  private readonly byValues = new Map<string, Counted>();

  /** @param labelNames in the order in which {@link add} takes their values, which should be few */
  constructor(private readonly labelNames: readonly string[]) {}

  add(count: number, ...values: string[]): void {
    const key = values.join('\n');
    const counted = this.byValues.get(key);
    if (counted === undefined) this.byValues.set(key, { labels: this.labelsOf(values), count });
    else counted.count += count;
  }

  /** What was counted since the last call. */
  take(show: (labels: Readonly<Record<string, string>>, count: number) => void): void {
    for (const counted of this.byValues.values()) {
      show(counted.labels, counted.count);
      counted.count = 0;
    }
  }

  private labelsOf(values: readonly string[]): Record<string, string> {
    return Object.fromEntries(this.labelNames.map((name, at) => [name, values[at] ?? '']));
  }
}
