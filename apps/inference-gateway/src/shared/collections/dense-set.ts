/** A member and where it stands, which changes. */
export interface DenseSetEntry<Member> {
  readonly member: Member;
  /** -1: it has left. */
  at: number;
}

/**
 * Members that come and go thousands of times a second, in no order. A Set would do the same, but each table that it
 * has outgrown keeps its last members, and the next table, alive until the next full garbage collection.
 */
export class DenseSet<Member> {
  private readonly places: DenseSetEntry<Member>[] = [];

  get size(): number {
    return this.places.length;
  }

  add(member: Member): DenseSetEntry<Member> {
    const place = { member, at: this.places.length };
    this.places.push(place);
    return place;
  }

  /** @returns false: it had left already */
  delete(place: DenseSetEntry<Member>): boolean {
    const { at } = place;
    if (at < 0) return false;
    place.at = -1;
    const last = this.places.pop() as DenseSetEntry<Member>;
    if (last !== place) {
      last.at = at;
      this.places[at] = last;
    }
    return true;
  }

  /** Those that are there now, whoever leaves meanwhile. */
  members(): Member[] {
    return this.places.map(({ member }) => member);
  }
}
