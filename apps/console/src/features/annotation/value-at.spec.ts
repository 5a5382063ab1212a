import { RemoteBranch } from '../../shared/payload/large-payload.js';
import { valueAt } from './value-at.js';

it.each([
  ['inputs.q', 'a'],
  ['inputs.list.1', 3],
  ['output', null],
  ['inputs.none', undefined],
  ['inputs.constructor', undefined],
  ['inputs.q.length', undefined],
])('the value at %s is %j', (path, value) => {
  expect(valueAt({ inputs: { q: 'a', list: [2, 3] }, output: null }, path)).toEqual(value);
});

it('the value at a path within a large one is all of that', () => {
  const large = new RemoteBranch('object', 2, [], 0, { name: 'p' } as never);
  expect(valueAt({ inputs: large }, 'inputs.count')).toBe(large);
});
