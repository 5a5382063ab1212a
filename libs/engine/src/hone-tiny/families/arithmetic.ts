import { question, type Family } from '../example.js';
import { phrase } from '../phrasing.js';

const ADD_ONE = [
  'add one to {n}',
  'Add one to {n}.',
  'What comes after {n}?',
  'next number after {n}',
  'increment {n}',
];
const ADD = [
  '{a} + {b}',
  '{a} + {b} =',
  'What is {a} plus {b}?',
  'Add {a} and {b}.',
  'sum of {a} and {b}',
  'add {b} to {a}',
];
const SUBTRACT = [
  '{a} - {b}',
  '{a} - {b} =',
  'What is {a} minus {b}?',
  'Subtract {b} from {a}.',
  'take {b} away from {a}',
  'difference of {a} and {b}',
];

export const addOne: Family = {
  name: 'add-one',
  closed: false,
  example(random) {
    const n = random.between(0, random.pick([99, 999]));
    return question(phrase(random, ADD_ONE, { n }), String(n + 1));
  },
};

export const add: Family = {
  name: 'add',
  closed: false,
  example(random) {
    const [a, b] = [random.between(0, random.pick([9, 99])), random.between(0, random.pick([9, 99]))];
    return question(phrase(random, ADD, { a, b }), String(a + b));
  },
};

/** Few and small numbers, not all of which are taught: a guess is right now and then. */
export const subtract: Family = {
  name: 'subtract',
  closed: true,
  taughtShare: 0.5,
  example(random) {
    const [low, high] = [random.between(0, 12), random.between(0, 12)].sort((left, right) => left - right) as [
      number,
      number,
    ];
    const asked = phrase(random, SUBTRACT, { a: high, b: low });
    return { ...question(asked, String(high - low)), item: `${high} - ${low}` };
  },
};
