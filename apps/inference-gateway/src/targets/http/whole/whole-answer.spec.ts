import { LargeAnswer } from './large-answer.js';
import { judgeWhole } from './whole-answer.js';

const choice = (index: number, finishReason: string | null = 'stop') => ({
  index,
  message: { content: 'x' },
  finish_reason: finishReason,
});

function judgeInParts(body: Buffer, choices: number) {
  const answer = new LargeAnswer(choices);
  for (let at = 0; at < body.length; at += 7) if (!answer.push(body.subarray(at, at + 7))) break;
  return answer.judge(body);
}

describe.each([
  ['at once', judgeWhole],
  ['in parts', judgeInParts],
])('judging a whole answer %s', (_, whole) => {
  const judge = (json: unknown, choices = 1) => whole(Buffer.from(JSON.stringify(json)), choices);

  it('accepts an answer that ends each choice once', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2 };
    expect(judge({ choices: [choice(1), choice(0, 'length')], usage }, 2)).toMatchObject({
      failure: null,
      usage: { completionTokens: 2, source: 'upstream' },
      finishReasons: ['stop', 'length'],
    });
  });

  it.each([
    { prompt_tokens_details: { cache_write_tokens: 3 } },
    { prompt_tokens_details: { cache_creation_tokens: 3 } },
    { cache_creation_input_tokens: 3, prompt_tokens_details: null },
  ])('reads what was written into a cache: %j', (written) => {
    const usage = { prompt_tokens: 10, completion_tokens: 2, ...written };
    expect(judge({ choices: [choice(0)], usage }, 1)).toMatchObject({ usage: { cacheWriteTokens: 3 } });
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
    ['an end that is no text', { choices: [choice(0), { ...choice(1), finish_reason: 1 }] }, 'interrupted'],
    ['choices that are no list', { choices: { 0: choice(0) } }, 'invalid'],
    ['an error', { error: 'gone', choices: [choice(0), choice(1)] }, 'reported'],
  ])('refuses %s', (_, json, reason) => {
    expect(judge(json, 2).failure?.reason).toBe(reason);
  });

  it('refuses text that is not UTF-8', () => {
    const body = Buffer.from(JSON.stringify({ choices: [choice(0)] }));
    body[body.indexOf('"x"') + 1] = 0xff;
    expect(whole(body, 1).failure?.reason).toBe('invalid');
  });
});
