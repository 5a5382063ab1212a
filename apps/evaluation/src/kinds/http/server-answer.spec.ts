import type { HttpScorerDto } from '@hone/contracts';

import { readServerAnswer } from './server-answer.js';

const SCORER: HttpScorerDto = {
  url: 'https://judge.example',
  ratings: [{ name: 'close', min: 0, max: 1 }, { name: 'words' }],
  tags: ['ok', 'short'],
};
const GOOD = { ratings: { close: 0.5, words: 12 }, tags: ['ok', 'unknown'], reason: 'so' };
const read = (value: unknown) => readServerAnswer(SCORER, JSON.stringify(value));

describe('the answer of a server that judges', () => {
  it('is a verdict of what the scorer names', () => {
    expect(read({ ...GOOD, more: 1 })).toMatchObject({
      state: 'done',
      ratings: [
        { name: 'close', value: 0.5, scale: [0, 1] },
        { name: 'words', value: 12, scale: null },
      ],
      tags: ['ok'],
      reason: 'so',
    });
    expect(read({ ratings: GOOD.ratings })).toMatchObject({ state: 'done', tags: [], reason: null });
  });

  it('says that it skips the call', () => {
    expect(read({ skipped: 'no_context' })).toMatchObject({ state: 'skipped', code: 'no_context' });
  });

  it.each([
    null,
    [],
    {},
    'ok',
    { ...GOOD, ratings: { close: 1.1, words: 1 } },
    { ...GOOD, ratings: { close: '0.5', words: 1 } },
    { ...GOOD, ratings: { close: 0.5 } },
    { ...GOOD, ratings: { close: 0.5, words: null } },
    { ...GOOD, tags: 'ok' },
    { ...GOOD, reason: 5 },
    { skipped: 'No context!' },
    { skipped: 5 },
  ])('is none where it is %j', (value) => {
    expect(read(value)).toMatchObject({ state: 'failed', code: 'server_answered_nonsense' });
  });

  it.each(['', 'ok', '{"ratings": {"close": 0.5', '{"ratings": {"close": NaN, "words": 1}}'])(
    'is none where it is the text %j',
    (text) => expect(readServerAnswer(SCORER, text)).toMatchObject({ code: 'server_answered_nonsense' }),
  );
});
