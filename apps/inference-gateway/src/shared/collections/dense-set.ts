/** A member and its current index. */
export interface DenseSetEntry<Member> {
  readonly member: Member;
  /** -1: it was deleted. */
  at: number;
}

/**
 * Unordered set for members that are added and deleted thousands of times a second. Our own, because each hash table
 * that a `Set` has outgrown keeps its last members, and the next table, alive until the next full garbage collection.
 */
export class DenseSet<Member> {
  private readonly entries: DenseSetEntry<Member>[] = [];

  get size(): number {
    return this.entries.length;
  }

  add(member: Member): DenseSetEntry<Member> {
    const entry = { member, at: this.entries.length };
    this.entries.push(entry);
    return entry;
  }

  /** @returns false: it was deleted before */
  delete(entry: DenseSetEntry<Member>): boolean {
    const { at } = entry;
    if (at < 0) return false;
    entry.at = -1;
    const last = this.entries.pop() as DenseSetEntry<Member>;
    if (last !== entry) {
      last.at = at;
      this.entries[at] = last;
    }
    return true;
  }

  /** A copy of the members, so that a loop over it may delete some. */
  members(): Member[] {
    return this.entries.map(({ member }) => member);
  }
}
