import type { SubjectAccount } from './subject-account.js';

/** Costs that came within a short time. */
interface Slice {
  readonly firstMs: number;
  lastMs: number;
  readonly costs: Map<SubjectAccount, number>;
}

/** The database may be away for long: what is remembered grows with time, not with requests. */
const SLICE_MS = 250;

/**
 * Costs of requests that are over and not yet in the sums that budgets are checked against: until then they stay in
 * use here, or a slow database would let a budget be spent twice.
 */
export class Spending {
  #slices: Slice[] = [];

  add(account: SubjectAccount, costNanoUsd: number, atMs: number): void {
    let slice = this.#slices.at(-1);
    if (!slice || atMs - slice.firstMs >= SLICE_MS) {
      slice = { firstMs: atMs, lastMs: atMs, costs: new Map() };
      this.#slices.push(slice);
    }
    slice.lastMs = atMs;
    slice.costs.set(account, (slice.costs.get(account) ?? 0) + costNanoUsd);
  }

  /** Everything that was added before `atMs` is in the sums. */
  release(atMs: number): void {
    while (this.#slices[0] && this.#slices[0].lastMs < atMs) {
      for (const [account, cost] of (this.#slices.shift() as Slice).costs) account.budget.spend(cost);
    }
  }
}
