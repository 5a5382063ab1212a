import { aUsageRecord } from './usage-record.fixture.js';

describe('a usage record', () => {
  it('carries its price and its cost', () => {
    expect(aUsageRecord()).toMatchObject({
      startedAt: '2026-11-20T10:30:00.000Z',
      pricePrompt: 150_000_000,
      priceCompletion: 600_000_000,
      costNanoUsd: 27_000,
      isBilled: true,
    });
  });

  it('of a failed request costs nothing', () => {
    expect(aUsageRecord({ status: 'error', errorCode: 'stream_stalled' })).toMatchObject({
      costNanoUsd: 0,
      isBilled: false,
    });
  });

  it('holds texts of upstreams as Postgres can store them', () => {
    const { errorCode, attempts } = aUsageRecord({
      errorCode: `a\0b\ud800${'x'.repeat(1_000)}`,
      attempts: [{ target: 'up/m', outcome: 'no\0', ms: 1 }],
    });
    expect(errorCode).toBe(`a\ufffdb\ufffd${'x'.repeat(508)}`);
    expect(attempts).toEqual([{ target: 'up/m', outcome: 'no\ufffd', ms: 1 }]);
  });

  it('has whole milliseconds', () => {
    expect(aUsageRecord({ ttftMs: 1.4, durationMs: 2.6 })).toMatchObject({ ttftMs: 1, durationMs: 3 });
  });
});
