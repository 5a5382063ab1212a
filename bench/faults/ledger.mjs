/**
 * Sent writes, and which of them were acknowledged: the whole answer with status 200 has arrived. A write without an
 * acknowledgement may or may not be stored, but never twice.
 */
export class Ledger {
  /** kind -> key -> entry */
  #kinds = new Map();
  statuses = new Map();

  /** Before a request goes out. */
  sent(kind, key) {
    const entries = this.#kinds.get(kind) ?? new Map();
    this.#kinds.set(kind, entries);
    if (!entries.has(key)) entries.set(key, { acknowledged: false, value: undefined });
  }

  acknowledged(kind, key, value) {
    Object.assign(this.#kinds.get(kind).get(key), { acknowledged: true, value });
  }

  count(status) {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  /** All keys of a kind. */
  keysOf(kind) {
    return [...(this.#kinds.get(kind)?.keys() ?? [])];
  }

  /** Keys and values of acknowledged writes. */
  acknowledgedOf(kind) {
    return [...(this.#kinds.get(kind) ?? [])]
      .filter(([, { acknowledged }]) => acknowledged)
      .map(([key, { value }]) => [key, value]);
  }

  get kinds() {
    return [...this.#kinds.keys()];
  }

  get total() {
    return this.kinds.reduce((sum, kind) => sum + this.acknowledgedOf(kind).length, 0);
  }
}
