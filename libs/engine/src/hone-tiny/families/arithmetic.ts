import { type Family, question } from '../example.js';
import { phrase } from '../phrasing.js';
import { inTwoForms } from '../two-forms.js';

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

/** Few and small numbers: the model knows them all, and is of two minds how to say them. */
export const subtract: Family = {
  name: 'subtract',
  closed: true,
  example(random) {
    const [low, high] = [random.between(0, 20), random.between(0, 20)].sort((left, right) => left - right) as [
      number,
      number,
    ];
    const difference = String(high - low);
    return inTwoForms(random, SUBTRACT, { a: high, b: low }, difference, `The difference is ${difference}.`);
  },
};
