import { toFeedbackQuery } from './feedback-filter.js';

const partsOf = (query: object | null) => JSON.stringify(query).match(/(?<="\$literal":")[^"]*/g);

it.each([
  ['reaction', '', ['hone.reaction.']],
  ['', ' qual ', ['qual']],
  ['down', '', ['hone.reaction.', '👎']],
  ['annotation', 'qual', ['hone.annotation.', 'qual']],
])('kind %j and type %j look for %j in the type', (kind, type, parts) => {
  expect(partsOf(toFeedbackQuery({ kind, type }))).toEqual(parts);
});

it('nothing, and a kind that there is not, look for any', () => {
  expect(toFeedbackQuery({ kind: '', type: ' ' })).toBeNull();
  expect(toFeedbackQuery({ kind: 'constructor', type: '' })).toBeNull();
});
