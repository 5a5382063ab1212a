import { changeOf, isLessBetter } from './direction.js';
import { LATENCY } from './results.js';

it.each([
  [LATENCY, true],
  ['judge.cost', true],
  ['total_tokens', true],
  ['exact.correct', false],
  ['terror_score', false],
])('of %j less is better: %j', (metric, less) => {
  expect(isLessBetter(metric, [])).toBe(less);
  expect(isLessBetter(metric, [metric])).toBe(!less);
});

it.each([
  [1, false, 'better'],
  [-1, false, 'worse'],
  [-1, true, 'better'],
  [1, true, 'worse'],
  [0, true, 'same'],
] as const)('a difference of %d, where less is better: %j, is %s', (difference, less, change) => {
  expect(changeOf(difference, less)).toBe(change);
});
