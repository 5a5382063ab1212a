import { conditionText, toCondition } from './condition.js';

describe('which calls are meant', () => {
  it.each([
    ['', true, 'calls that no other call made'],
    ['', false, 'all calls'],
    ['op_name = "chat"', false, 'all calls with op_name = "chat"'],
  ])('%j is read again for people', (query, isRootsOnly, text) => {
    const { filter, query: condition } = toCondition({ query, isRootsOnly });
    expect(conditionText(filter ?? null, condition ?? null)).toBe(text);
  });

  it('is shown as it is where the query line has no words for it', () => {
    const filter = { trace_roots_only: true, thread_ids: ['t'] };
    const query = { $expr: { $gt: [{ $literal: 2 }, { $literal: 1 }] } };
    const text = 'calls that no other call made with {"$expr":{"$gt":[{"$literal":2},{"$literal":1}]}}';
    expect(conditionText(filter as never, query as never)).toBe(`${text} and {"thread_ids":["t"]}`);
  });
});
