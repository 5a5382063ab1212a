import { readErrorAnswer } from './error-answer.js';

const read = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readErrorAnswer({ status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }, [
    'sk-secret',
    'gpu-7.internal',
  ]);

describe('reading an error of an upstream', () => {
  it.each([
    ['OpenAI', { error: { message: 'm', code: 'context_length_exceeded' } }],
    [
      'vLLM',
      { error: { message: "This model's maximum context length is 16 tokens.", type: 'BadRequestError', code: 400 } },
    ],
    [
      'vLLM before 0.10',
      { object: 'error', message: 'The prompt is longer than the maximum model length of 16.', code: 400 },
    ],
    ['Anthropic', { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' } }],
  ])('knows a prompt that is too long, as %s says it', (_, body) => {
    expect(read(400, body).reason).toBe('context_length');
  });

  it.each([
    [400, 'content_filter', 'content_filter'],
    [400, 'content_policy_violation', 'content_filter'],
    [429, 'insufficient_quota', 'no_quota'],
    [429, 'rate_limit_exceeded', 'rate_limited'],
    [403, 'content_filter', 'content_filter'],
    [413, 'x', 'rejected'],
    [404, 'x', 'no_model'],
    [501, 'x', 'rejected'],
    [418, 'x', 'rejected'],
    [201, 'x', 'invalid'],
    [599, 'x', 'failed'],
  ])('takes %i with code %s for %s', (status, code, reason) => {
    expect(read(status, { error: { message: 'm', code } }).reason).toBe(reason);
  });

  it('tells a missing part of the request from a missing model', () => {
    expect(read(404, { error: { message: 'No such file.', param: 'messages' } }).reason).toBe('rejected');
    expect(read(404, { error: { message: 'No such model.', param: 'model' } }).reason).toBe('no_model');
    expect(read(403, { error: { message: 'The input was flagged.' } }).reason).toBe('content_filter');
  });

  it('returns the message without addresses and keys', () => {
    const message = 'gpu-7.internal said no to sk-secret and hone_abcdefgh at https://10.0.0.5:8000/v1, 10.0.0.6:80';
    expect(read(400, { error: { message } }).message).toBe('… said no to … and … at … …');
  });

  it('cuts a long message, and replaces an HTML page', () => {
    expect(read(400, { error: 'x'.repeat(10_000) }).message).toHaveLength(2_000);
    expect(read(502, '<h1>Bad Gateway</h1>').message).toBe('The upstream reported an error.');
  });

  it('keeps `detail` in our own format only', () => {
    const detail = [{ loc: ['body', 'top_k'], msg: 'no', type: 'x' }];
    expect(read(422, { detail }).detail).toEqual(detail);
    expect(read(422, { detail: 'no' })).toMatchObject({ detail: undefined, message: 'no' });
  });

  it.each([
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '30', 'retry-after': '9' }, 30],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': '1e20' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': '99999999999999999999' }, 86_400_000],
    [{ 'retry-after-ms': '1e20', 'retry-after': '9' }, 9_000],
    [{ 'retry-after-ms': '99999999999999' }, 86_400_000],
    [{ 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 86_400_000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  ])('reads %j', (headers, ms) => {
    expect(read(429, {}, headers).retryAfterMs).toBe(ms);
  });
});
