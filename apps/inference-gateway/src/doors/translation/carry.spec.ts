import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import { toChatFields as ofMessage } from '../messages/request/to-chat-fields.js';
import { toChatFields as ofResponse } from '../responses/request/to-chat-fields.js';
import { carry } from './carry.js';

const asResponse = (asked: object) =>
  carry({ model: 'm', ...asked }, { input: '' }, (rest) => ofResponse(rest as never));
const asMessage = (asked: object) =>
  carry(
    { model: 'm', max_tokens: 5, ...asked },
    { messages: [{ role: 'user', content: '' }] },
    (rest) => ofMessage(rest as never).fields,
  );

describe('carry', () => {
  it('has nothing to refuse where a chat completion carries all', () => {
    expect(asResponse({ input: 'hi' })).toEqual({
      value: expect.objectContaining({ messages: [{ role: 'user', content: 'hi' }] }),
    });
  });

  it('leaves out what is refused, and says what was the first', () => {
    const tools = [{ type: 'web_search' }, { type: 'function', name: 'f' }, { type: 'mcp' }, { type: 'web_search' }];
    const input = [{ role: 'user', content: 'hi' }, { type: 'web_search_call' }, { type: 'item_reference', id: 'x' }];
    const { value, refusal } = asResponse({ input, tools, include: ['web_search_call.results'], conversation: 'c' });
    expect(value).toMatchObject({ messages: [{ role: 'user', content: 'hi' }], tools: [{ function: { name: 'f' } }] });
    expect(refusal?.issues).toMatchObject([{ loc: ['body', 'conversation'] }]);
  });

  it('leaves out blocks of a message by their kind, wherever they stand', () => {
    const used = { type: 'server_tool_use', id: 'x' };
    const found = { type: 'web_search_tool_result', tool_use_id: 'x' };
    const text = { type: 'text', text: 'a' };
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [used, found, text] },
      { role: 'user', content: 'on' },
      { role: 'assistant', content: [text, used, found] },
      { role: 'user', content: 'and on' },
    ];
    const { value, refusal } = asMessage({ messages });
    expect(value['messages']).toMatchObject([{}, { content: 'a' }, {}, { content: 'a' }, { content: 'and on' }]);
    expect(refusal?.issues).toMatchObject([{ loc: ['body', 'messages', 1, 'content', 0, 'type'] }]);
  });

  it('carries nothing of a request of which too much is refused, or whose rest says nothing', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ type: `tool_${at}` }));
    expect(asResponse({ input: 'hi', tools: many }).value).toMatchObject({ messages: [{ content: '' }] });
    const paused = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'server_tool_use', id: 'x' }] },
    ];
    expect(asMessage({ messages: paused }).value).toMatchObject({ messages: [{ role: 'user', content: '' }] });
  });

  it('throws what is wrong for any upstream', () => {
    expect(() => asResponse({ input: [{ type: 'function_call', call_id: 5 }] })).toThrow(InvalidRequestError);
  });

  it('reads each part of a request as often, however many there are', () => {
    let reads = 0;
    const aPart = (type: string) => ({
      get type() {
        reads++;
        return type;
      },
    });
    const readsOf = (parts: number): number => {
      reads = 0;
      const content = Array.from({ length: parts }, (_, at) => aPart(at % 2 ? 'container_upload' : 'other'));
      expect(asMessage({ messages: [{ role: 'user', content }] }).refusal).toBeDefined();
      return reads;
    };
    const few = readsOf(100);
    expect(few).toBeGreaterThan(100);
    expect(readsOf(10_000)).toBeLessThanOrEqual(100 * few);
  });
});
