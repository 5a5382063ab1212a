import { judgeWhole } from './whole-answer.js';

const choice = (index: number, finishReason: string | null = 'stop') => ({
  index,
  message: { content: 'x' },
  finish_reason: finishReason,
});
const judge = (json: unknown, choices = 1) => judgeWhole(Buffer.from(JSON.stringify(json)), choices);
const PAD = 'x'.repeat(300_000);

describe('judgeWhole', () => {
  it('accepts an answer that ends each choice once', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2 };
    expect(judge({ choices: [choice(1), choice(0, 'length')], usage }, 2)).toMatchObject({
      failure: null,
      usage: { completionTokens: 2, source: 'upstream' },
    });
  });

  it.each([
    ['no object', 5, 'invalid'],
    ['no choices', { choices: [] }, 'invalid'],
    ['too few choices', { choices: [choice(0)] }, 'mismatched'],
    ['a choice twice', { choices: [choice(0), choice(0)] }, 'mismatched'],
    ['one too many', { choices: [choice(0), choice(2)] }, 'mismatched'],
    ['no message', { choices: [{ index: 0, finish_reason: 'stop' }] }, 'invalid'],
    ['no end', { choices: [choice(0), choice(1, null)] }, 'interrupted'],
    ['an empty end', { choices: [choice(0), choice(1, '')] }, 'interrupted'],
    ['an aborted choice', { choices: [choice(0), choice(1, 'abort')] }, 'reported'],
    ['an error that blames the request', { error: { message: 'no', code: 422 } }, 'rejected'],
    ['an error', { error: 'gone', choices: [choice(0), choice(1)] }, 'reported'],
  ])('refuses %s', (_, json, reason) => {
    expect(judge(json, 2).failure?.reason).toBe(reason);
  });

  it('checks the structure of a large answer and finds the usage at its end', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } };
    const large = { pad: PAD, choices: [choice(0)], usage, more: {} };
    expect(judge(large)).toMatchObject({ failure: null, json: null, usage: { completionTokens: 2, cachedTokens: 1 } });
    const cut = Buffer.from(JSON.stringify(large).slice(0, -1));
    expect(judgeWhole(cut, 1).failure?.reason).toBe('invalid');
    expect(judge({ pad: PAD }).failure?.reason).toBe('invalid');
  });
});
