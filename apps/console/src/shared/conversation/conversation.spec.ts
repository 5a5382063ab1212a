import type { Loose } from '../chat/blocks.js';
import type { Exchange } from '../chat/exchange.js';
import { Conversation } from './conversation.js';

const said = (role: string, content: string, more: object = {}): Loose => ({ role, content, ...more });
const called = (id: string, args = '{"a":1}') =>
  said('assistant', '', { tool_calls: [{ id, type: 'function', function: { name: 'add', arguments: args } }] });
const chat = (sent: Loose[], ...answers: Loose[]): Exchange => ({ form: 'chat', sent, answers });
const shapeOf = ({ items }: Conversation) =>
  items.map(({ callId, turn, repeated }) => `${callId} ${repeated} ${turn ? `${turn.role}:${turn.text}` : '-'}`);

describe('the conversation of a trace', () => {
  const [system, question] = [said('system', 's'), said('user', 'q')];

  it('has each message once, though every call repeats those before it', () => {
    const conversation = new Conversation();
    conversation.add('c1', chat([system, question], said('assistant', 'a')));
    conversation.add(
      'c2',
      chat([system, question, said('assistant', 'a'), said('user', 'go on')], said('assistant', 'b')),
    );
    expect(shapeOf(conversation)).toEqual([
      ...['c1 0 system:s', 'c1 0 user:q', 'c1 0 assistant:a'],
      ...['c2 3 user:go on', 'c2 3 assistant:b'],
    ]);
    expect(conversation.items.map(({ isFirst }) => isFirst)).toEqual([true, false, false, true, false]);
  });

  it('has no history again where the system prompt changes or the beginning is cut', () => {
    const conversation = new Conversation();
    conversation.add('c1', chat([said('system', 'now 10:00'), question], said('assistant', 'a')));
    conversation.add(
      'c2',
      chat([said('system', 'now 10:01'), question, said('assistant', 'a')], said('assistant', 'b')),
    );
    conversation.add('c3', chat([said('assistant', 'b'), said('user', 'end')], said('assistant', 'c')));
    expect(shapeOf(conversation).slice(3)).toEqual([
      ...['c2 2 system:now 10:01', 'c2 2 assistant:b', 'c3 1 user:end', 'c3 1 assistant:c'],
    ]);
  });

  it('has what is said again as often as it is said', () => {
    const conversation = new Conversation();
    const yes = said('user', 'yes');
    const good = said('assistant', 'good');
    conversation.add('c1', chat([yes], good));
    conversation.add('c2', chat([yes, good, yes], good));
    expect(shapeOf(conversation)).toEqual([
      'c1 0 user:yes',
      'c1 0 assistant:good',
      'c2 2 user:yes',
      'c2 2 assistant:good',
    ]);
  });

  it('joins results with the calls of tools, also where clients use an id again', () => {
    const conversation = new Conversation();
    const first = [question, called('0'), said('tool', '2', { tool_call_id: '0' })];
    conversation.add('c1', chat([question], called('0')));
    // Sent again with blanks in its arguments.
    conversation.add('c2', chat([question, called('0', '{ "a": 1 }'), first[2] as Loose], called('0', '{"a":2}')));
    conversation.add('c3', chat([...first, called('0', '{"a":2}'), said('tool', '3', { tool_call_id: '0' })]));
    expect(shapeOf(conversation)).toEqual(['c1 0 user:q', 'c1 0 assistant:', 'c2 2 assistant:', 'c3 4 -']);
    const [one, two] = conversation.items.flatMap(({ toolCalls }) => toolCalls);
    expect(one).toMatchObject({ name: 'add', args: '{"a":1}' });
    expect(conversation.results.get(one?.number ?? 0)).toMatchObject({ callId: 'c2', turn: { text: '2' } });
    expect(conversation.results.get(two?.number ?? 0)).toMatchObject({ callId: 'c3', turn: { text: '3' } });
  });

  it('has a result without a call as a message, and nothing of what is no exchange', () => {
    const conversation = new Conversation();
    conversation.add('c0', null);
    conversation.add('c1', chat([said('tool', '2', { tool_call_id: 'lost' })]));
    expect(shapeOf(conversation)).toEqual(['c1 0 tool:2']);
    expect([...conversation.callIds]).toEqual(['c0', 'c1']);
  });

  it('tells long messages apart by their ends', () => {
    const conversation = new Conversation();
    const long = (end: string) => said('user', 'x'.repeat(100_000) + end);
    conversation.add('c1', chat([long('1')]));
    conversation.add('c2', chat([long('1'), long('2')]));
    expect(conversation.items).toHaveLength(2);
  });

  it('survives messages of any form', () => {
    const conversation = new Conversation();
    conversation.add(
      'c1',
      chat([{}, { role: 3, tool_calls: [null, {}, { id: 7, function: 'x' }] }, { tool_calls: 'x' }]),
    );
    expect(conversation.items).toHaveLength(3);
  });
});
