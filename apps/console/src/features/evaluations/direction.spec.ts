import { changeOf, directionOf } from './direction.js';
import { LATENCY } from './results.js';

it.each([
  [LATENCY, 'less', 'more'],
  ['judge.cost', 'less', 'more'],
  ['total_tokens', 'less', 'more'],
  ['exact.correct', 'more', 'less'],
  ['terror_score', 'more', 'less'],
  ['exact.length', 'neither', 'less'],
  ['better_answer.flipped', 'neither', 'less'],
])('of %j %s is better, and %s once it is turned round', (metric, usual, turned) => {
  expect(directionOf(metric, [])).toBe(usual);
  expect(directionOf(metric, [metric])).toBe(turned);
});

it.each([
  [1, 'more', 'better'],
  [-1, 'more', 'worse'],
  [-1, 'less', 'better'],
  [1, 'less', 'worse'],
  [0, 'less', 'same'],
  [1, 'neither', 'same'],
] as const)('a difference of %d, where %s is better, is %s', (difference, direction, change) => {
  expect(changeOf(difference, direction)).toBe(change);
});
