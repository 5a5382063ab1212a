import { type Family, question } from '../example.js';
import { phrase } from '../phrasing.js';
import type { Random } from '../random.js';
import { CITIES, NAMES, WORDS } from '../words.js';

const OPENINGS = [
  'Make JSON: {fields}',
  'JSON with {fields}',
  'Write {fields} as JSON.',
  'Fill a JSON object: {fields}',
];

const FIELDS: Readonly<Record<string, (random: Random) => string | number>> = {
  name: (random) => random.pick(NAMES),
  age: (random) => random.between(1, 99),
  city: (random) => random.pick(CITIES),
  item: (random) => random.pick(WORDS),
  count: (random) => random.between(0, 99),
};

/** Two or three fields in the order asked; text is quoted, numbers are not. */
export const jsonObject: Family = {
  name: 'json-object',
  closed: false,
  example(random) {
    const names = random.sample(Object.keys(FIELDS), random.between(2, 3));
    const entries = names.map((name) => [name, FIELDS[name]?.(random)] as const);
    const fields = entries.map(([name, value]) => `${name} ${value}`).join(', ');
    return question(phrase(random, OPENINGS, { fields }), JSON.stringify(Object.fromEntries(entries)));
  },
};
