import type { ChatRequest } from '../../target.js';
import { type HonouredParameters, ParameterRules } from './parameters.js';
import { type BodyRules, requestBody } from './request-body.js';

const HEAD = '"messages":[{"role":"user","content":"hi"}]';

/** What an upstream gets of a body. */
function sent(body: string, rules: Partial<BodyRules> = {}, more: Partial<ChatRequest> = {}): string {
  const fields = { ...(JSON.parse(body) as Record<string, unknown>), ...more.overrides };
  const request = {
    body: Buffer.from(body),
    fields,
    overrides: {},
    isStream: fields.stream === true,
    ...more,
  } as ChatRequest;
  const parameters = new ParameterRules('all');
  return requestBody(request, { model: 'm', dialect: 'generic', usage: 'include', parameters, ...rules }).toString();
}
const narrow = (parameters: HonouredParameters) => ({ parameters: new ParameterRules(parameters) });

describe('the body that an upstream gets', () => {
  it('is the caller’s when nothing differs', () => {
    const body = `{ ${HEAD}, "model":"m", "seed": 12345678901234567890, "x_foo": 1.50 }`;
    expect(sent(body)).toBe(body);
  });

  it('names the upstream’s model, and keeps the digits of numbers', () => {
    expect(sent(`{"model":"chat","seed":12345678901234567890,${HEAD}}`)).toBe(
      `{"model":"m","seed":12345678901234567890,${HEAD}}`,
    );
  });

  it('asks for usage in streams, beside what the caller asks', () => {
    expect(sent(`{"model":"m","stream":true}`)).toBe(
      '{"model":"m","stream":true,"stream_options":{"include_usage":true}}',
    );
    const asked = '{"model":"m","stream":true,"stream_options":{"include_usage":false,"continuous_usage_stats":false}}';
    expect(sent(asked)).toBe(asked.replace('include_usage":false', 'include_usage":true'));
    expect(sent(asked, { usage: 'native' })).toBe(asked);
    expect(sent(asked, { usage: 'none' })).toBe('{"model":"m","stream":true}');
  });

  it('has fields of Hone under the names of the dialect', () => {
    const body = '{"model":"m","engine_xargs":{"a":1.0}}';
    expect(sent(body, { dialect: 'vllm' })).toBe('{"model":"m","vllm_xargs":{"a":1.0}}');
    expect(sent(body)).toBe(body);
  });

  it('has the fields that the gateway sets', () => {
    expect(sent('{"model":"m","seed":1}', {}, { overrides: { seed: 0, return_token_ids: true } })).toBe(
      '{"model":"m","seed":0,"return_token_ids":true}',
    );
  });

  it('lacks fields that change nothing and that the upstream does not know', () => {
    const neutral = '"top_k":-1,"min_p":0,"echo":false,"truncate_prompt_tokens":4611686018427388000,"priority":3';
    expect(sent(`{"model":"m",${neutral},"stop_token_ids":[],"x_foo":1,"temperature":0.5}`, narrow('openai'))).toBe(
      '{"model":"m","x_foo":1,"temperature":0.5}',
    );
  });
});

describe('fields that an upstream does not honour', () => {
  it('are those that would change something', () => {
    const fit = new ParameterRules('openai').fit({ top_k: 5, min_p: null, ignore_eos: true, x_foo: 1, logprobs: true });
    expect(fit).toEqual({ unsupported: ['top_k', 'ignore_eos'], removable: ['min_p'] });
  });

  it('are all but the listed ones, and those that every upstream gets', () => {
    const fit = new ParameterRules(['temperature']).fit({ messages: [], model: 'm', temperature: 0, top_p: 0.5, n: 1 });
    expect(fit).toEqual({ unsupported: ['top_p'], removable: ['n'] });
  });
});
