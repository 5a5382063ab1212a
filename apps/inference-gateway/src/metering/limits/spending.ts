import type { BudgetShare } from './budget-share.js';

/** Costs that were added within {@link SLICE_MS}. */
interface Slice {
  readonly firstMs: number;
  lastMs: number;
  readonly costs: Map<BudgetShare, number>;
}

/** Slices bound the memory during a long database outage: it grows with time, not with requests. */
const SLICE_MS = 250;

/**
 * Costs of ended requests that the budgets' sums in the database do not include yet. They stay in use here until then:
 * otherwise a slow database would let a budget be spent twice.
 */
export class Spending {
  private slices: Slice[] = [];

  add(budget: BudgetShare, costNanoUsd: number, atMs: number): void {
    let slice = this.slices.at(-1);
    if (!slice || atMs - slice.firstMs >= SLICE_MS) {
      slice = { firstMs: atMs, lastMs: atMs, costs: new Map() };
      this.slices.push(slice);
    }
    slice.lastMs = atMs;
    slice.costs.set(budget, (slice.costs.get(budget) ?? 0) + costNanoUsd);
  }

  /** The sums include all costs that were added before `atMs`. */
  release(atMs: number): void {
    while (this.slices[0] && this.slices[0].lastMs < atMs) {
      for (const [budget, cost] of (this.slices.shift() as Slice).costs) budget.spend(cost);
    }
  }
}
