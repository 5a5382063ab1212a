/** A member and where it stands, which changes. */
export interface CrowdPlace<Member> {
  readonly member: Member;
  /** -1: it has left. */
  at: number;
}

/**
 * Members that come and go thousands of times a second, in no order. A Set would do the same, but each table that it
 * has outgrown keeps its last members, and the next table, alive until the next full garbage collection.
 */
export class Crowd<Member> {
  private readonly places: CrowdPlace<Member>[] = [];

  get size(): number {
    return this.places.length;
  }

  add(member: Member): CrowdPlace<Member> {
    const place = { member, at: this.places.length };
    this.places.push(place);
    return place;
  }

  /** @returns false: it had left already */
  delete(place: CrowdPlace<Member>): boolean {
    const { at } = place;
    if (at < 0) return false;
    place.at = -1;
    const last = this.places.pop() as CrowdPlace<Member>;
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
