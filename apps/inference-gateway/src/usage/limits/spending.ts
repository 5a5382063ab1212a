import type { SubjectAccount } from './subject-account.js';

interface Spent {
  readonly atMs: number;
  readonly account: SubjectAccount;
  readonly costNanoUsd: number;
}

/**
 * Costs of requests that are over and not yet in the sums that budgets are checked against: until then they stay in
 * use here, or a slow database would let a budget be spent twice.
 */
export class Spending {
  #spent: Spent[] = [];

  add(account: SubjectAccount, costNanoUsd: number, atMs: number): void {
    this.#spent.push({ atMs, account, costNanoUsd });
  }

  /** Everything that was added before `atMs` is in the sums. */
  release(atMs: number): void {
    let index = 0;
    for (; index < this.#spent.length; index++) {
      const one = this.#spent[index] as Spent;
      if (one.atMs >= atMs) break;
      one.account.budget.spend(one.costNanoUsd);
    }
    this.#spent = this.#spent.slice(index);
  }
}
