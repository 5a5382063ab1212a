import { verdictOf } from './judge-verdict.js';

it('reads what a scorer of the server found', () => {
  const output = { helpful: 4, spread: { helpful: 0.5 }, tags: ['polite'], reason: 'It says all.' };
  expect(verdictOf({ payload: { output }, scorer_tags: ['polite'] })).toEqual({
    ...{ state: 'done', code: null, ratings: { helpful: 4 }, tags: ['polite'] },
    ...{ reason: 'It says all.', spread: { helpful: 0.5 }, details: null },
  });
  expect(verdictOf({ payload: { output: { reason: 'Nothing of it.' } }, scorer_tags: [] })).toMatchObject({ tags: [] });
});

it.each([[{ output: true }], [{ output: {} }], [{}]])('leaves other forms such as %j alone', (payload) =>
  expect(verdictOf({ payload, scorer_tags: [] })).toBeNull(),
);
