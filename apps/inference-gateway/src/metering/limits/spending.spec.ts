import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { NO_LIMITS } from './limits.js';
import { Spending } from './spending.js';
import { SubjectAccount } from './subject-account.js';

describe('Spending', () => {
  function anAccount(): SubjectAccount {
    const account = new SubjectAccount({ scope: 'key', id: 'k' }, new FakeClock());
    account.budget.receive(1_000, 1_000);
    account.setLimits({ ...NO_LIMITS, monthlyBudgetNanoUsd: 1_000 });
    account.budget.take(600);
    return account;
  }
  /** What an account holds for costs that are not in the sums. */
  const inUse = (account: SubjectAccount) => account.budget.topUp(0).inUse;

  it('releases only costs that were spent before the sums were written', () => {
    const account = anAccount();
    const spending = new Spending();
    spending.add(account, 100, 1_000);
    spending.add(account, 200, 1_300);
    spending.add(account, 50, 1_400);
    spending.release(1_000);
    expect(inUse(account)).toBe(600);
    spending.release(1_001);
    expect(inUse(account)).toBe(500);
    spending.release(1_400);
    expect(inUse(account)).toBe(500); // 200 and 50 came so close together that they go together
    spending.release(1_401);
    expect(inUse(account)).toBe(250);
    expect(account.budget.free).toBe(400);
  });
});
