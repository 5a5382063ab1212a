/** Which tokens a choice has seen and how often: what penalties depend on. */
export class TokenHistory {
  private readonly promptIds: ReadonlySet<number>;
  private readonly counts = new Map<number, number>();

  constructor(prompt: Iterable<number>) {
    this.promptIds = new Set(prompt);
  }

  add(id: number): void {
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
  }

  /** Generated tokens with how often each came. */
  get generated(): ReadonlyMap<number, number> {
    return this.counts;
  }

  /** Every token of prompt and answer, once. */
  *seen(): Iterable<number> {
    yield* this.promptIds;
    for (const id of this.counts.keys()) if (!this.promptIds.has(id)) yield id;
  }
}
