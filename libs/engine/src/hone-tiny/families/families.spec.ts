import { heldOutExamples } from '../corpus.js';
import type { Example } from '../example.js';
import { FAMILIES } from './families.js';

const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
const sorted = (items: number[]): number[] => items.toSorted((a, b) => a - b);
/** Words of these prompts that are not what is asked about. */
const ASKING =
  /\b(how|many|letters|are|in|count|long|is|the|word|write|backwards|what|spelled|spell|from|end|reverse)\b/gi;
const wordIn = (prompt: string): string => prompt.replace(ASKING, '').match(/[a-z]+/)?.[0] ?? '';

/** The answer by another way than the family's own: from the text of the question alone. */
const ORACLES: Record<string, (prompt: string) => string> = {
  'add-one': (prompt) => String((numbersIn(prompt)[0] ?? NaN) + 1),
  add: (prompt) => String(numbersIn(prompt).reduce((sum, value) => sum + value)),
  subtract: (prompt) => String(Math.max(...numbersIn(prompt)) - Math.min(...numbersIn(prompt))),
  'sort-numbers': (prompt) => sorted(numbersIn(prompt)).join(', '),
  largest: (prompt) => String(sorted(numbersIn(prompt)).at(-1)),
  compare: (prompt) => ((numbersIn(prompt)[0] ?? NaN) > (numbersIn(prompt)[1] ?? NaN) ? 'yes' : 'no'),
  'sort-letters': (prompt) => (prompt.match(/\b[a-z]\b/g) ?? []).sort().join(' '),
  reverse: (prompt) => Array.from(wordIn(prompt)).toReversed().join(''),
  'count-letters': (prompt) => String(wordIn(prompt).length),
};

describe('FAMILIES', () => {
  it('have different names', () => {
    expect(new Set(FAMILIES.map(({ name }) => name)).size).toBe(FAMILIES.length);
  });

  it.each(FAMILIES.filter(({ name }) => ORACLES[name]))('$name answers what its question asks', (family) => {
    const examples = heldOutExamples(family, 7, 100);
    const prompt = (example: Example) => example.messages.at(-2)?.content ?? '';
    expect(examples.map(({ answer }) => answer)).toEqual(
      examples.map((example) => ORACLES[family.name]?.(prompt(example))),
    );
  });
});
