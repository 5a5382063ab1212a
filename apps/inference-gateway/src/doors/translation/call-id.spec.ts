import { MessageForm } from '../messages/answer/message-form.js';
import { ResponseForm } from '../responses/answer/response-form.js';
import { readCallId, toCallId } from './call-id.js';

const extra_content = { google: { thought_signature: 'c2l+/nbmVk==' } };

describe('ids of calls', () => {
  it('bring what an upstream wants back with a call', () => {
    const id = toCallId({ id: 'call_1', extra_content }, 'unused');
    expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(readCallId(id)).toEqual({ id: 'call_1', extra: { extra_content } });
  });

  it('are those of the answers of each door', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content };
    const answer = { choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] };
    const id = toCallId(call, '');
    const response = new ResponseForm({ model: 'm', input: 'x' }, 'r', false).whole(answer);
    expect(response).toMatchObject({ output: [{ type: 'function_call', call_id: id }] });
    const message = new MessageForm({ model: 'm' }, 'r').whole(answer);
    expect(message).toMatchObject({ content: [{ type: 'tool_use', id }] });
  });

  it('are those of the upstream where it wants nothing, or ours where it has none', () => {
    expect(toCallId({ id: 'call_1' }, 'unused')).toBe('call_1');
    expect(toCallId({ id: null, extra_content: null }, 'ours')).toBe('ours');
  });

  it.each(['', 'call_1', '__extra__', 'a__extra__!!', 'a__extra__bnVsbA', 'a__extra__WzFd'])(
    'stay as they are when they bring nothing: %j',
    (id) => expect(readCallId(id)).toEqual({ id, extra: {} }),
  );
});
