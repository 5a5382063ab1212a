import { type FeedbackFilter, toFeedbackQuery } from './feedback-filter.js';

const ANY: FeedbackFilter = { kind: '', type: '', by: '', users: { ids: [], end: '' } };
const partsOf = (query: object | null) => JSON.stringify(query).match(/(?<="\$literal":")[^"]*/g);

it.each([
  ['reaction', '', ['hone.reaction.']],
  ['', ' qual ', ['qual']],
  ['down', '', ['hone.reaction.', '👎']],
  ['annotation', 'qual', ['hone.annotation.', 'qual']],
])('kind %j and type %j look for %j in the type', (kind, type, parts) => {
  expect(partsOf(toFeedbackQuery({ ...ANY, kind, type }))).toEqual(parts);
});

it('nothing, and a kind that there is not, look for any', () => {
  expect(toFeedbackQuery({ ...ANY, type: ' ', by: ' ' })).toBeNull();
  expect(toFeedbackQuery({ ...ANY, kind: 'constructor' })).toBeNull();
});

it('who gave it is looked for among creators and users', () => {
  const creator = {
    $contains: { input: { $getField: 'creator' }, substr: { $literal: 'ada' }, case_insensitive: true },
  };
  expect(toFeedbackQuery({ ...ANY, by: ' ada ' })).toEqual({ $expr: { $and: [{ $or: [creator] }] } });
  const users = { ids: ['u1', 'u2'], end: '' };
  const ofUsers = { $in: [{ $getField: 'svc_user_id' }, [{ $literal: 'u1' }, { $literal: 'u2' }]] };
  expect(toFeedbackQuery({ ...ANY, by: 'ada', users })).toEqual({ $expr: { $and: [{ $or: [creator, ofUsers] }] } });
  expect(partsOf(toFeedbackQuery({ ...ANY, by: '…0a1b2c', users: { ids: [], end: '0a1b2c' } }))).toEqual([
    '…0a1b2c',
    '0a1b2c',
  ]);
});
