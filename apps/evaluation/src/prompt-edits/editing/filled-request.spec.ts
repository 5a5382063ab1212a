import { filledRequest } from './filled-request.js';

const PLAN = { model: 'small', parameters: { temperature: 0 } };
const PROMPT = [{ role: 'user', content: 'Q: {{question}} {{ more }}' }];

describe('the request for a row with a prompt that is not stored', () => {
  it('has the filled messages before those of the row', () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const row = { question: 'a "b"\n{{more}} $& \ud83d\ude00', more: { n: 1 }, messages };
    expect(filledRequest(PLAN, PROMPT, row, 3)).toEqual({
      ...{ model: 'small', temperature: 0, seed: 3 },
      messages: [{ role: 'user', content: 'Q: a "b"\n{{more}} $& \ud83d\ude00 {"n":1}' }, ...messages],
    });
  });

  it('says what the row lacks', () => {
    expect(filledRequest(PLAN, PROMPT, { question: 'a' }, 0)).toEqual({ missing: 'more' });
    expect(filledRequest(PLAN, [{ role: 'user', content: '{{__proto__}}' }], {}, 0)).toEqual({ missing: '__proto__' });
  });

  it('makes none that is far larger than its parts', () => {
    const many = [{ role: 'user', content: '{{question}}'.repeat(2_000) }];
    expect(filledRequest(PLAN, many, { question: 'x'.repeat(1_000_000) }, 0)).toEqual({ isTooLarge: true });
  });
});
