import { type Family, question } from '../example.js';
import { phrase } from '../phrasing.js';
import type { Random } from '../random.js';

const SORT = ['sort: {list}', 'Sort these numbers: {list}', 'Put in order: {list}', 'numbers in order: {list}'];
const LARGEST = ['largest of {list}', 'What is the largest of {list}?', 'biggest number: {list}', 'max of {list}'];
const COMPARE = ['Is {a} greater than {b}?', 'is {a} more than {b}?', 'Is {a} > {b}?', '{a} > {b}?'];
const COUNT = ['count from {a} to {b}', 'Count from {a} to {b}.', 'numbers from {a} to {b}', 'Count up: {a} to {b}'];

/** Three to six numbers of one digit, or of one and two. */
function someNumbers(random: Random, highest: readonly number[]): number[] {
  const high = random.pick(highest);
  return random.list(random.between(3, 6), () => random.between(0, high));
}

export const sortNumbers: Family = {
  name: 'sort-numbers',
  closed: false,
  example(random) {
    const numbers = someNumbers(random, [9, 9, 30]);
    const sorted = numbers.toSorted((a, b) => a - b);
    return question(phrase(random, SORT, { list: numbers.join(', ') }), sorted.join(', '));
  },
};

export const largest: Family = {
  name: 'largest',
  closed: false,
  example(random) {
    const numbers = someNumbers(random, [9, 99]);
    return question(phrase(random, LARGEST, { list: numbers.join(', ') }), String(Math.max(...numbers)));
  },
};

export const compare: Family = {
  name: 'compare',
  closed: false,
  example(random) {
    const [a, b] = [random.between(0, 99), random.between(0, 99)];
    return question(phrase(random, COMPARE, { a, b }), a > b ? 'yes' : 'no');
  },
};

export const countUp: Family = {
  name: 'count-up',
  closed: false,
  example(random) {
    const a = random.between(0, 30);
    const b = a + random.between(2, 8);
    const all = Array.from({ length: b - a + 1 }, (_, index) => a + index);
    return question(phrase(random, COUNT, { a, b }), all.join(' '));
  },
};
