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
    endpoint: 'chat/completions',
    isStream: fields.stream === true,
    ...more,
  } as ChatRequest;
  const parameters = new ParameterRules('all');
  return requestBody(request, { model: 'm', dialect: 'generic', usage: 'include', parameters, ...rules }).toString();
}
const narrow = (parameters: HonouredParameters) => ({ parameters: new ParameterRules(parameters) });

describe('requestBody', () => {
  it('returns the caller’s body when nothing differs', () => {
    const body = `{ ${HEAD}, "model":"m", "seed": 12345678901234567890, "x_foo": 1.50 }`;
    expect(sent(body)).toBe(body);
  });

  it('sets the upstream’s model name and keeps the digits of numbers', () => {
    expect(sent(`{"model":"chat","seed":12345678901234567890,${HEAD}}`)).toBe(
      `{"model":"m","seed":12345678901234567890,${HEAD}}`,
    );
  });

  it('requests usage in streams, and keeps other stream options', () => {
    expect(sent(`{"model":"m","stream":true}`)).toBe(
      '{"model":"m","stream":true,"stream_options":{"include_usage":true}}',
    );
    const asked = '{"model":"m","stream":true,"stream_options":{"include_usage":false,"continuous_usage_stats":false}}';
    expect(sent(asked)).toBe(asked.replace('include_usage":false', 'include_usage":true'));
    expect(sent(asked, { usage: 'native' })).toBe(asked);
    expect(sent(asked, { usage: 'none' })).toBe('{"model":"m","stream":true}');
  });

  it('renames fields for the dialect', () => {
    const body = '{"model":"m","engine_xargs":{"a":1.0}}';
    expect(sent(body, { dialect: 'vllm' })).toBe('{"model":"m","vllm_xargs":{"a":1.0}}');
    expect(sent(body)).toBe(body);
  });

  const tool = (name: string) => ({ type: 'function', function: { name } });
  const allowed = (mode: string, ...names: string[]) => ({
    ...{ model: 'm', tools: ['f', 'g', 'h'].map(tool) },
    tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: names.map(tool) } },
  });

  it.each(['auto', 'required'])('sends vLLM, which knows no allowed_tools, only those that are allowed: %s', (mode) => {
    const body = JSON.stringify(allowed(mode, 'h', 'f'));
    expect(sent(body)).toBe(body);
    const expected = { model: 'm', tools: ['f', 'h'].map(tool), tool_choice: mode };
    expect(sent(body, { dialect: 'vllm' })).toBe(JSON.stringify(expected));
  });

  it('leaves out empty lists of tools, which some servers refuse', () => {
    expect(sent('{"model":"m","tools":[],"seed":1,"functions":[]}')).toBe('{"model":"m","seed":1}');
    expect(sent('{"model":"m","tools":[]}', narrow(['temperature']))).toBe('{"model":"m"}');
  });

  it('sends tools of other kinds, and functions, as they are', () => {
    const custom = { type: 'custom', custom: { name: 'sql', format: { type: 'text' } } };
    const body = JSON.stringify({
      model: 'm',
      tools: [custom],
      tool_choice: { type: 'custom', custom: { name: 'sql' } },
    });
    expect(sent(body, narrow('openai'))).toBe(body);
    const functions = '{"model":"m","functions":[{"name":"f"}],"function_call":{"name":"f"}}';
    expect(sent(functions, narrow('openai'))).toBe(functions);
  });

  it('sets the overrides of the gateway', () => {
    expect(sent('{"model":"m","seed":1}', {}, { overrides: { seed: 0, return_token_ids: true } })).toBe(
      '{"model":"m","seed":0,"return_token_ids":true}',
    );
  });

  it('removes neutral fields that the upstream does not honour', () => {
    const neutral = '"top_k":-1,"min_p":0,"echo":false,"truncate_prompt_tokens":4611686018427388000,"priority":3';
    expect(sent(`{"model":"m",${neutral},"stop_token_ids":[],"x_foo":1,"temperature":0.5}`, narrow('openai'))).toBe(
      '{"model":"m","x_foo":1,"temperature":0.5}',
    );
  });
});

describe('ParameterRules', () => {
  it('reports fields that are not honoured and not neutral', () => {
    const fit = new ParameterRules('openai').fit({ top_k: 5, min_p: null, ignore_eos: true, x_foo: 1, logprobs: true });
    expect(fit).toEqual({ unsupported: ['top_k', 'ignore_eos'], removable: ['min_p'] });
  });

  it('honours the listed fields and those of every upstream only', () => {
    const fit = new ParameterRules(['temperature']).fit({ messages: [], model: 'm', temperature: 0, top_p: 0.5, n: 1 });
    expect(fit).toEqual({ unsupported: ['top_p'], removable: ['n'] });
  });
});
