import { expiryOf } from './expiry.js';

const NOW = Date.parse('2026-01-15T10:00:00Z');

it.each([
  ['7 days', '2026-01-22T10:00:00.000Z'],
  ['a year', '2027-01-15T10:00:00.000Z'],
  ['for ever', null],
  ['constructor', '2026-04-15T10:00:00.000Z'],
])('a key for %s ends at %s', (name, end) => {
  expect(expiryOf(name, NOW)).toBe(end);
});
