import { BudgetShare } from './budget-share.js';
import { Spending } from './spending.js';

describe('Spending', () => {
  function aBudget(): BudgetShare {
    const budget = new BudgetShare({ period: 'month', model: null });
    budget.receive(1_000, 1_000);
    budget.take(600);
    return budget;
  }
  /** What a gateway holds for costs that are not in the sums. */
  const inUse = (budget: BudgetShare) => budget.topUp(0).inUse;

  it('releases only costs that were spent before the sums were written', () => {
    const budget = aBudget();
    const spending = new Spending();
    spending.add(budget, 100, 1_000);
    spending.add(budget, 200, 1_300);
    spending.add(budget, 50, 1_400);
    spending.release(1_000);
    expect(inUse(budget)).toBe(600);
    spending.release(1_001);
    expect(inUse(budget)).toBe(500);
    spending.release(1_400);
    expect(inUse(budget)).toBe(500); // 200 and 50 came so close together that they go together
    spending.release(1_401);
    expect(inUse(budget)).toBe(250);
    expect(budget.free).toBe(400);
  });
});
