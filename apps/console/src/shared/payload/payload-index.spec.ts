import { PayloadArrival, type PayloadIndex } from './payload-index.js';
import { FIRST_MEMBERS, type SentBranch, type SentFrame, type SentText } from './payload-messages.js';

/** In pieces that end anywhere, also within a character. */
function arrived(value: unknown, pieceBytes = 65_537): PayloadIndex {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const arrival = new PayloadArrival();
  for (let at = 0; at < bytes.length; at += pieceBytes) arrival.push([bytes.slice(at, at + pieceBytes)]);
  return arrival.end();
}

const indexOf = (call: unknown) => arrived({ call });
const membersOf = (sent: unknown) => new Map((sent as SentFrame).members.map(({ key, value }) => [key, value]));
const callOf = (index: PayloadIndex) => membersOf(membersOf(index.open(2)).get('call'));

describe('a large answer', () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => ({ index, text: 'x'.repeat(50) }));
  const index = indexOf({ id: 'c', ['__proto__']: 1, inputs: { q: 1 }, output: rows, exception: 'é'.repeat(70_000) });
  const call = callOf(index);

  it('is handed out with its short values whole, and long ones closed', () => {
    expect([...call.keys()]).toEqual(['id', '__proto__', 'inputs', 'output', 'exception']);
    expect(call.get('inputs')).toEqual({ kind: 'short', json: '{"q":1}' });
    expect(call.get('output')).toMatchObject({ kind: 'array', count: 5_000 });
    expect((call.get('output') as SentBranch).first).toHaveLength(FIRST_MEMBERS);
    expect(call.get('exception')).toMatchObject({ kind: 'text', length: 70_000, head: 'é'.repeat(2_000) });
  });

  it('gives pages of a long array, the rest of a text, and each as it was sent', () => {
    const { at } = call.get('output') as SentBranch;
    const page = index.members({ at, from: 4_999, to: 5_099 });
    expect(page).toEqual([{ key: '4999', value: { kind: 'short', json: JSON.stringify(rows[4_999]) } }]);
    expect(index.source({ at })).toBe(JSON.stringify(rows));
    expect(index.text({ at: (call.get('exception') as SentText).at })).toBe('é'.repeat(70_000));
    expect(index.search({ at, wanted: '"', most: 5 })).toEqual([]);
    expect(index.search({ at, wanted: '4999', most: 5 })).toEqual([[4_999, 0]]);
  });

  it('is shown though it is no object', () => {
    expect(arrived(null).open(2)).toEqual({ kind: 'short', json: 'null' });
    expect(membersOf(indexOf(null).open(2)).get('call')).toEqual({ kind: 'short', json: 'null' });
  });

  it('has its conversation, and none where there is none', () => {
    const messages = [{ role: 'user', content: 'm'.repeat(70_000) }];
    const output = { choices: [{ message: { role: 'assistant', content: 'yes' } }] };
    expect(indexOf({ inputs: { messages }, output }).chat({ member: 'call' })).toMatchObject([
      { role: 'user', text: 'm'.repeat(70_000) },
      { role: 'assistant', text: 'yes' },
    ]);
    expect(indexOf({ inputs: { messages }, output: null }).chat({ member: 'call' })).toHaveLength(1);
    for (const none of [{ inputs: rows }, { inputs: { messages: 'x' } }, {}, null])
      expect(indexOf(none).chat({ member: 'call' })).toBeNull();
  });
});
