import { CompletionEstimates } from './completion-estimates.js';

describe('CompletionEstimates', () => {
  const estimates = () => new CompletionEstimates();

  it('starts with a default, at most the limit of the caller', () => {
    expect([estimates().estimate('m', null), estimates().estimate('m', 16)]).toEqual([512, 16]);
  });

  it('estimates slightly above the 95th percentile', () => {
    const known = estimates();
    for (let tokens = 1; tokens <= 1_000; tokens++) known.observe('m', tokens);
    expect(known.estimate('m', null)).toBeGreaterThanOrEqual(950);
    expect(known.estimate('m', null)).toBeLessThan(950 * 1.2);
    expect(known.estimate('m', 100)).toBe(100);
    expect(known.estimate('other', null)).toBe(512);
  });

  it('follows recent answers', () => {
    const known = estimates();
    for (let n = 0; n < 5_000; n++) known.observe('m', 4_000);
    for (let n = 0; n < 12_000; n++) known.observe('m', 10);
    expect(known.estimate('m', null)).toBeLessThan(13);
  });

  it('handles empty and very long answers', () => {
    const known = estimates();
    known.observe('empty', 0);
    known.observe('long', 5_000_000);
    expect(known.estimate('empty', null)).toBe(0);
    expect(known.estimate('long', null)).toBeGreaterThan(4_000_000);
  });
});
