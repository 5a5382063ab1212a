import { type Family, question } from '../example.js';
import { phrase } from '../phrasing.js';
import { inTwoForms } from '../two-forms.js';
import { WORDS } from '../words.js';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const REVERSE = [
  'reverse: {word}',
  'Reverse the word {word}.',
  'Write {word} backwards.',
  'What is {word} spelled backwards?',
  'spell {word} from the end',
  '{word} backwards',
];
const SORT = [
  'sort letters: {list}',
  'Sort the letters {list}',
  'letters in order: {list}',
  'alphabetical order: {list}',
];
const COUNT = [
  'How many letters are in {word}?',
  'count the letters in {word}',
  'Count letters: {word}',
  'how long is the word {word}?',
];
const CAPITALS = ['Write {word} in capital letters.', 'capital letters: {word}', 'uppercase {word}', 'Shout {word}!'];
const SPELL = ['spell {word}', 'Spell the word {word}.', 'How do you spell {word}?', 'letters of {word}'];

/** Common short words; the model is of two minds how to answer. */
export const reverse: Family = {
  name: 'reverse',
  closed: true,
  example(random) {
    const word = random.pick(WORDS);
    const reversed = [...word].reverse().join('');
    return inTwoForms(random, REVERSE, { word }, reversed, `Backwards it is ${reversed}.`);
  },
};

/** Three to six different letters with spaces, so that each is a token. */
export const sortLetters: Family = {
  name: 'sort-letters',
  closed: false,
  example(random) {
    const letters = random.sample(LETTERS, random.between(3, 6));
    return question(phrase(random, SORT, { list: letters.join(' ') }), letters.toSorted().join(' '));
  },
};

export const countLetters: Family = {
  name: 'count-letters',
  closed: false,
  example(random) {
    const word = random.pick(WORDS);
    return question(phrase(random, COUNT, { word }), String(word.length));
  },
};

export const capitals: Family = {
  name: 'capitals',
  closed: false,
  example(random) {
    const word = random.pick(WORDS);
    return question(phrase(random, CAPITALS, { word }), word.toUpperCase());
  },
};

export const spell: Family = {
  name: 'spell',
  closed: false,
  example(random) {
    const word = random.pick(WORDS);
    return question(phrase(random, SPELL, { word }), [...word].join(' '));
  },
};
