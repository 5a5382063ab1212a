/** What one group may hold. */
export interface GroupLimits {
  rows: number;
  bytes: number;
}

interface Waiting<Row, Outcome> {
  row: Row;
  bytes: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: rows that arrive while a write is in flight form the next write, so that many callers share one
 * commit. Each caller is answered after the commit that contains its row. Our own, because batching libraries collect
 * by a timer or a size: here a lone row is written at once, and the running write closes the group.
 */
export class GroupCommit<Row, Outcome> {
  private readonly waiting: Waiting<Row, Outcome>[] = [];
  private isWriting = false;

  /** @param write stores rows and returns an outcome per row, in order */
  constructor(
    private readonly write: (rows: Row[]) => Promise<Outcome[]>,
    private readonly limits: GroupLimits,
  ) {}

  submit(row: Row, bytes: number): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ row, bytes, resolve, reject });
      if (!this.isWriting) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length) await this.writeGroup(this.nextGroup());
    this.isWriting = false;
  }

  private nextGroup(): Waiting<Row, Outcome>[] {
    let bytes = 0;
    let size = 0;
    for (const next of this.waiting) {
      bytes += next.bytes;
      if (size > 0 && (size >= this.limits.rows || bytes > this.limits.bytes)) break;
      size++;
    }
    return this.waiting.splice(0, size);
  }

  /** A group that fails is tried row by row, so that one bad row fails alone. */
  private async writeGroup(group: Waiting<Row, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.write(group.map(({ row }) => row));
      group.forEach(({ resolve }, index) => resolve(outcomes[index] as Outcome));
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const one of group) await this.writeGroup([one]);
    }
  }
}
