import type { Family } from '../example.js';
import { add, addOne, subtract } from './arithmetic.js';
import { colours, opposites, sounds } from './facts.js';
import { greetings } from './greetings.js';
import { jsonObject } from './json-object.js';
import { capitals, countLetters, reverse, sortLetters, spell } from './letters.js';
import { compare, countUp, largest, sortNumbers } from './numbers.js';
import { repeat } from './repeat.js';
import { toolCall, toolResult } from './tool-use.js';

/** Everything that the bundled model is taught. */
export const FAMILIES: readonly Family[] = [
  addOne,
  add,
  subtract,
  sortNumbers,
  largest,
  compare,
  countUp,
  reverse,
  sortLetters,
  countLetters,
  capitals,
  spell,
  repeat,
  opposites,
  colours,
  sounds,
  greetings,
  jsonObject,
  toolCall,
  toolResult,
];

/** Share of the training data by family, 1 where none is named: some need more than most. */
export const SHARES: Readonly<Record<string, number>> = {
  [add.name]: 3,
  [repeat.name]: 2,
  [sortNumbers.name]: 2,
  [countLetters.name]: 1.5,
  [jsonObject.name]: 1.5,
  [toolCall.name]: 1.5,
};

export const shareOf = (family: Family): number => SHARES[family.name] ?? 1;
