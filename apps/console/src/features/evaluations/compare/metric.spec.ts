import { formatP, formatSigned, formatValue, nameOfMetric } from './metric.js';

it.each([
  ['scores.exact.correct', 'exact.correct'],
  ['latency_ms', 'latency, ms'],
  ['tokens', 'tokens'],
])('calls %s %s', (metric, name) => expect(nameOfMetric(metric)).toBe(name));

it.each([
  [1_500, 'ms', '1.5 s', '+1.5 s'],
  [-20, 'ms', '−20 ms', '−20 ms'],
  [-0.004, 'usd', '−$0.0040', '−$0.0040'],
  [0, null, '0', '0'],
  [0.5, null, '0.5', '+0.5'],
] as const)('writes %d of unit %s as %s', (value, unit, text, signed) => {
  expect(formatValue(value, unit)).toBe(text);
  expect(formatSigned(value, unit)).toBe(signed);
});

it('writes p-values with two digits, as far as they say something', () =>
  expect([1, 0.0226, 0.0001].map(formatP)).toEqual(['1', '0.023', '< 0.001']));
