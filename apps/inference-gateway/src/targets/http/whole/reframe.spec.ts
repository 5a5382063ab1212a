import { reframe } from './reframe.js';

describe('reframe', () => {
  it('writes role, content, finish, usage and [DONE]', () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const answer = {
      id: 'i',
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, tool_calls: calls },
          finish_reason: 'tool_calls',
          stop_reason: 'x',
        },
      ],
      usage: { completion_tokens: 1 },
    };
    const frames = reframe(answer).toString().split('\n\n');
    const head = '{"id":"i","object":"chat.completion.chunk","choices":[';
    const choice = (delta: string, finish: string, more = '') =>
      `data: ${head}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}${more}}]}`;
    expect(frames).toEqual([
      choice('{"role":"assistant","content":null}', 'null'),
      choice(`{"tool_calls":[{"index":0,${JSON.stringify(calls[0]).slice(1)}]}`, 'null'),
      choice('{}', '"tool_calls"', ',"stop_reason":"x"'),
      `data: ${head}],"usage":{"completion_tokens":1}}`,
      'data: [DONE]',
      '',
    ]);
  });
});
