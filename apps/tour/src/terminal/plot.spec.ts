import { plot } from './plot.js';

describe('plot', () => {
  it('shows the highest value as a full bar and the lowest as the thinnest', () => {
    const lines = plot('reward', [0, 1]).split('\n');
    expect(lines[0]).toBe('reward');
    expect(lines).toHaveLength(7);
    expect(lines[1]).toBe('  1.00 │ █');
    expect(lines[6]).toBe('  0.00 │▁█');
  });

  it('keeps a long curve narrow', () => {
    const lines = plot(
      'loss',
      Array.from({ length: 1000 }, (_, index) => 1000 - index),
    ).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(75);
  });

  it('takes a flat curve and an empty one', () => {
    expect(plot('flat', [2, 2, 2])).toContain('2.00');
    expect(plot('none', [])).toBe('');
  });
});
