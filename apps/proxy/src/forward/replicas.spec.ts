import { Replicas } from './replicas.js';

describe('Replicas', () => {
  const trace = (waitMs: number) => new Replicas('trace', ['http://127.0.0.1:1'], waitMs);

  it('are worth waiting for, counted from the beginning of the outage', () => {
    const replicas = trace(1_000);
    expect([5_000, 5_999, 6_000, 90_000].map((nowMs) => replicas.isComingBack(nowMs))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    replicas.markReached();
    expect([90_000, 91_000].map((nowMs) => replicas.isComingBack(nowMs))).toEqual([true, false]);
  });

  it('are not waited for when nothing is to wait', () => {
    expect(trace(0).isComingBack()).toBe(false);
    const replicas = trace(1_000);
    replicas.giveUp();
    expect(replicas.isComingBack()).toBe(false);
  });
});
