import { joinedUsage } from '../../targets/joined-usage.js';
import type { TokenUsage } from '../../targets/target.js';
import { joinedBody } from './joined-body.js';

const usageOf = (promptTokens: number, source: TokenUsage['source'] = 'upstream'): TokenUsage => ({
  ...{ promptTokens, completionTokens: 2, cachedTokens: 1, reasoningTokens: 0, source },
});

describe('one body of several', () => {
  it('keeps the bytes of the choices, and all else of the first', () => {
    const bodies = [
      '{"id":"x","choices":[ {"index":0,"message":{"content":"a]}\\""},"big":12345678901234567890} ],"extra":{"choices":[1]}}',
      '{"choices":[{"message":{"content":"b"}}],"id":"y"}',
    ].map((text) => Buffer.from(text));
    const text = joinedBody(bodies, joinedUsage([usageOf(3), usageOf(4)])).toString();
    expect(text).toContain('"big":12345678901234567890');
    expect(JSON.parse(text)).toEqual({
      id: 'x',
      choices: [
        { index: 0, message: { content: 'a]}"' }, big: expect.any(Number) },
        { index: 1, message: { content: 'b' } },
      ],
      extra: { choices: [1] },
      usage: { prompt_tokens: 7, completion_tokens: 4, total_tokens: 11, prompt_tokens_details: { cached_tokens: 2 } },
    });
  });

  it('has an estimated usage where one was estimated', () => {
    expect(joinedUsage([usageOf(1), usageOf(1, 'estimated')]).source).toBe('estimated');
  });
});
