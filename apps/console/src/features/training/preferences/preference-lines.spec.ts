import { preferenceLines } from './preference-lines.js';

const user = { role: 'user', content: 'hot?' };
const answer = (content: string) => ({ role: 'assistant', content });
const file = (...lines: unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n');

describe('lines of preferences', () => {
  it('are pairs and single answers, in each form that jobs read', () => {
    const lines = preferenceLines(
      file(
        { prompt: 'hot?', chosen: 'cold', rejected: 'warm' },
        { messages: [user], chosen: answer('cold'), rejected: [answer('warm')] },
        { input: { messages: [user] }, preferred_output: [answer('cold')], non_preferred_output: [answer('warm')] },
        { messages: [user], completion: 'cold', label: true },
        { messages: [user], completion: 'warm', label: false },
      ),
      10,
    );
    const pair = [
      { label: 'chosen', messages: [answer('cold')] },
      { label: 'rejected', messages: [answer('warm')] },
    ];
    expect(lines).toEqual([
      ...[1, 2, 3].map(() => ({ asked: [user], answers: pair })),
      { asked: [user], answers: [{ label: 'liked', messages: [answer('cold')] }] },
      { asked: [user], answers: [{ label: 'disliked', messages: [answer('warm')] }] },
    ]);
  });

  it('leave out what is none, and what was cut', () => {
    const cut = '{"prompt": "hot?", "chosen": "co';
    expect(
      preferenceLines(`\n[]\nnull\n${file({ prompt: 'a' }, { messages: [1], completion: 'b' })}\n${cut}`, 10),
    ).toEqual([]);
    const many = file(...Array.from({ length: 9 }, () => ({ prompt: 'a', completion: 'b', label: true })));
    expect(preferenceLines(many, 4)).toHaveLength(4);
  });
});
