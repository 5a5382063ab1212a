import { partialCorrelation, pearson } from './correlation.js';

const X = [1, 2, 3, 4, 5, 6];
const Y = [2, 1, 4, 3, 7, 5];

describe('correlation', () => {
  it('is 1 of what grows together, and has an interval around what does not', () => {
    expect(
      pearson(
        X,
        X.map((x) => 3 * x - 7),
      )?.estimate,
    ).toBeCloseTo(1, 12);
    // Sums of products about the means: 17.5, 23.33 and 16.
    const { estimate, low, high, method } = pearson(X, Y)!;
    expect(estimate).toBeCloseTo(16 / Math.sqrt(17.5 * (70 / 3)), 14);
    const half = 1.959963984540054 / Math.sqrt(3);
    expect(low).toBeCloseTo(Math.tanh(Math.atanh(estimate) - half), 12);
    expect(high).toBeCloseTo(Math.tanh(Math.atanh(estimate) + half), 12);
    expect(method).toBe('fisher-z');
  });

  it('given a control is the textbook combination of the three correlations', () => {
    const control = [3, 1, 2, 6, 4, 9];
    const r = (a: number[], b: number[]) => pearson(a, b)!.estimate;
    const [xy, xz, yz] = [r(X, Y), r(X, control), r(Y, control)];
    const expected = (xy - xz * yz) / Math.sqrt((1 - xz ** 2) * (1 - yz ** 2));
    expect(partialCorrelation(X, Y, [control])?.estimate).toBeCloseTo(expected, 13);
  });

  it('does not count a control that others determine as another direction', () => {
    const control = [3, 1, 2, 6, 4, 9, 5];
    const [x, y] = [
      [...X, 2],
      [...Y, 9],
    ];
    const once = partialCorrelation(x, y, [control])!;
    const twice = partialCorrelation(x, y, [control, control.map((value) => 2 * value + 1)])!;
    expect(twice.estimate).toBeCloseTo(once.estimate, 12);
  });

  it('is undefined of constants, and of what controls determine', () => {
    expect(pearson(X, [0.1, 0.1, 0.1, 0.1, 0.1, 0.1])).toBeNull();
    expect(partialCorrelation(X, Y, [X.map((x) => 1e6 + x)])).toBeNull();
  });

  it('refuses lists that are short or of two lengths', () => {
    expect(() => pearson([1, 2, 3], [1, 2, 3])).toThrow(RangeError);
    expect(() => pearson(X, [...Y, 1])).toThrow(RangeError);
    expect(() => partialCorrelation(X, Y, [X, Y, X])).toThrow(RangeError);
    expect(() => partialCorrelation(X, Y, [[1]])).toThrow(RangeError);
  });
});
