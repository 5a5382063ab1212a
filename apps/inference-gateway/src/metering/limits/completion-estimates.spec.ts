import { CompletionEstimates } from './completion-estimates.js';

describe('CompletionEstimates', () => {
  const estimates = () => new CompletionEstimates();

  it('starts with a guess, at most what was asked for', () => {
    expect([estimates().estimate('m', null), estimates().estimate('m', 16)]).toEqual([512, 16]);
  });

  it('is close above the length that 95 of 100 answers do not exceed', () => {
    const known = estimates();
    for (let tokens = 1; tokens <= 1_000; tokens++) known.observe('m', tokens);
    expect(known.estimate('m', null)).toBeGreaterThanOrEqual(950);
    expect(known.estimate('m', null)).toBeLessThan(950 * 1.2);
    expect(known.estimate('m', 100)).toBe(100);
    expect(known.estimate('other', null)).toBe(512);
  });

  it('follows what is asked now', () => {
    const known = estimates();
    for (let n = 0; n < 5_000; n++) known.observe('m', 4_000);
    for (let n = 0; n < 12_000; n++) known.observe('m', 10);
    expect(known.estimate('m', null)).toBeLessThan(13);
  });

  it('knows answers without a token, and very long ones', () => {
    const known = estimates();
    known.observe('empty', 0);
    known.observe('long', 5_000_000);
    expect(known.estimate('empty', null)).toBe(0);
    expect(known.estimate('long', null)).toBeGreaterThan(4_000_000);
  });
});
