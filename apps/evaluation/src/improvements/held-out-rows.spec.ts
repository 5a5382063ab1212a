import { heldOutShare, MAX_ROWS, rowsToAsk } from './held-out-rows.js';

const user = (content: string) => ({ role: 'user', content });
const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

describe('rows that are held out', () => {
  it('ask what training data asks, with the corrected answer', () => {
    const answer = { role: 'assistant', content: 'a' };
    const file = lines(
      { messages: [user('1'), answer, user('2'), answer] },
      { messages: [user('3')], completion: 'b', label: true },
      { prompt: '4', chosen: 'c', rejected: 'd' },
      { messages: [user('5'), { role: 'assistant', tool_calls: [] }] },
    );
    expect(rowsToAsk([file])).toEqual([
      { messages: [user('1'), answer, user('2')], expected: 'a' },
      { messages: [user('3')] },
      { messages: [user('4')] },
      { messages: [user('5')] },
    ]);
  });

  it('have each prompt once, as the first file has it', () => {
    const corrected = lines({ messages: [user('1'), { role: 'assistant', content: 'a' }] });
    const thumbs = lines({ messages: [user('1')], completion: 'x' }, { messages: [user('2')], completion: 'y' });
    expect(rowsToAsk([corrected, thumbs])).toEqual([
      { messages: [user('1')], expected: 'a' },
      { messages: [user('2')] },
    ]);
  });

  it('leave out what cannot be asked', () => {
    const file = ['', 'no JSON', '[]', 'null', '1'].join('\n');
    const unasked = lines(
      { messages: [] },
      { messages: [user('1')] },
      { messages: [{ role: 'assistant', content: 'a' }] },
      { messages: ['1'] },
      { prompt_token_ids: [1] },
    );
    expect(rowsToAsk([file, unasked])).toEqual([]);
  });

  it('are bounded', () => {
    const many = Array.from({ length: MAX_ROWS + 50 }, (_none, at) => ({ prompt: `${at}`, chosen: 'a' }));
    expect(rowsToAsk([lines(...many)])).toHaveLength(MAX_ROWS);
    expect(heldOutShare(0)).toBe(1 / 3);
    expect(heldOutShare(300)).toBe(1 / 3);
    expect(heldOutShare(12_000)).toBe(0.1);
    expect(heldOutShare(1e9)).toBe(0.01);
  });
});
