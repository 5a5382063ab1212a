import { aChatRequest, dispatch, type Fields, said, useBundledTarget, WEATHER } from './embedded.fixture.js';
import type { EmbeddedTarget } from './embedded-target.js';

describe('EmbeddedTarget: validation', () => {
  const target = useBundledTarget();
  const refusal = (fields: Fields) => target().check(aChatRequest(fields));
  const anObject = (properties: Record<string, object>) => ({ type: 'object', properties });
  const locs = async (fields: Fields) => locsOf(await refusal(fields));

  it.each<[string, Fields]>([
    ['a plain request', {}],
    ['a schema', { response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } } }],
    ['tools', { tools: [WEATHER] }],
    [
      'a tool beyond the engine that is not strict',
      { tools: [{ function: { name: 'b', parameters: anObject({ x: { not: {} } }) } }] },
    ],
    ['the last token id', { allowed_token_ids: [511], stop_token_ids: [0], logit_bias: { 511: 1 } }],
    ['empty kwargs', { chat_template_kwargs: {} }],
    ['kwargs that the template does not read', { chat_template_kwargs: { preserve_thinking: false, x: [1] } }],
    ['no template in the kwargs', { chat_template_kwargs: { chat_template: null } }],
    ['a developer', { messages: [{ role: 'developer', content: 'x' }, ...said('y')] }],
  ])('lets pass %s', async (_, fields) => {
    expect(await refusal(fields)).toBeNull();
  });

  it.each<[string, Fields, string[][]]>([
    ['an allowed id that is no token', { allowed_token_ids: [1, 512] }, [['allowed_token_ids.1', 'value_error']]],
    ['a stop id that is no token', { stop_token_ids: [9_999] }, [['stop_token_ids.0', 'value_error']]],
    ['a bias for no token', { logit_bias: { 512: 1 } }, [['logit_bias.512', 'value_error']]],
    ['a pattern that is none', { structured_outputs: { regex: '(' } }, [['structured_outputs.regex', 'value_error']]],
    [
      'a pattern beyond the engine',
      { structured_outputs: { regex: '\\bx' } },
      [['structured_outputs.regex', 'value_error']],
    ],
    [
      'a schema beyond the engine',
      { structured_outputs: { json: { not: {} } } },
      [['structured_outputs.json', 'value_error']],
    ],
    ['a schema that is no JSON', { structured_outputs: { json: '{' } }, [['structured_outputs.json', 'value_error']]],
    [
      'a format beyond the engine',
      { response_format: { json_schema: { schema: { type: 'what' } } } },
      [['response_format.json_schema.schema', 'value_error']],
    ],
    [
      'the schema of the strict tool that is beyond the engine',
      { tools: [WEATHER, { function: { name: 'b', strict: true, parameters: anObject({ x: { not: {} } }) } }] },
      [['tools.1.function.parameters', 'value_error']],
    ],
    [
      'the schema of the tool that is wrong, though it is not strict',
      { tools: [WEATHER, { function: { name: 'b', parameters: anObject({ x: { enum: [] } }) } }] },
      [['tools.1.function.parameters', 'value_error']],
    ],
    [
      'a template in the kwargs',
      { chat_template_kwargs: { chat_template: '{{ x }}' } },
      [['chat_template_kwargs.chat_template', 'unsupported_parameter']],
    ],
    [
      'a part that is no text',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image_url' }] }] },
      [['messages.0.content.1.type', 'unsupported_parameter']],
    ],
    [
      'a role that the template lacks',
      { messages: [...said('x'), { role: 'critic', content: 'y' }] },
      [['messages.1.role', 'unsupported_parameter']],
    ],
    [
      'a schema that is nested too deep',
      { structured_outputs: { json: `${'{"not":'.repeat(200_000)}{}${'}'.repeat(200_000)}` } },
      [['structured_outputs.json', 'value_error']],
    ],
    ['a cut that leaves nothing', { truncate_prompt_tokens: 0 }, [['truncate_prompt_tokens', 'value_error']]],
  ])('refuses %s', async (_, fields, expected) => {
    expect(await locs(fields)).toEqual(expected);
  });

  it('names the keyword and its path in the schema of a tool', async () => {
    const parameters = { type: 'object', properties: { x: { not: {} } } };
    const found = await refusal({ tools: [{ function: { name: 'b', strict: true, parameters } }] });
    expect(found).toMatchObject({ issues: [{ msg: '/properties/x: The keyword "not" is not supported.' }] });
  });

  it.each(['cat '.repeat(1_500), 'x'.repeat(1_000_000)])('refuses a prompt that is too long', async (text) => {
    expect(await refusal({ messages: said(text) })).toMatchObject({ status: 400, code: 'context_length_exceeded' });
  });

  it.each<[string, Fields]>([
    ['use_beam_search', { use_beam_search: true }],
    ['length_penalty', { length_penalty: 2 }],
    ['structured_outputs', { structured_outputs: { grammar: 'root ::= "a"' } }],
    ['structured_outputs', { structured_outputs: { structural_tag: '{}' } }],
    ['structured_outputs', { structured_outputs: { regex: 'a', _backend: 'xgrammar' } }],
    ['response_format', { response_format: { type: 'structural_tag', format: { type: 'any_text' } } }],
    ['audio', { audio: { voice: 'x' } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['tools', { tools: [{ type: 'custom', custom: { name: 'sql' } }] }],
    ['chat_template', { chat_template: '{{ x }}' }],
    ['documents', { documents: [{ text: 'x' }] }],
    ['mm_processor_kwargs', { mm_processor_kwargs: { a: 1 } }],
    ['kv_transfer_params', { kv_transfer_params: { a: 1 } }],
    ['engine_xargs', { engine_xargs: { a: 1 } }],
  ])('does not support %s', (name, fields) => {
    expect(target().unsupported(aChatRequest(fields))).toEqual([name]);
  });

  it('supports neutral values', () => {
    const fields = {
      use_beam_search: false,
      length_penalty: 1,
      structured_outputs: { regex: 'a', _backend: 'auto', disable_fallback: true },
      response_format: null,
      modalities: ['text'],
      functions: [],
      function_call: 'none',
      chat_template: null,
      documents: [],
      mm_processor_kwargs: {},
      kv_transfer_params: null,
      engine_xargs: {},
      user: 'u',
      x_foo: 1,
    };
    expect(target().unsupported(aChatRequest(fields as Fields))).toEqual([]);
  });

  it('reports the failure when it is dispatched all the same', async () => {
    const { reader } = dispatch(target(), aChatRequest({ structured_outputs: { regex: '(' } }));
    await reader.ended;
    expect(reader.failure).toMatchObject({ reason: 'rejected', upstreamStatus: 422 });
    const other = dispatch(target(), aChatRequest({ stop_token_ids: [9_999] })).reader;
    await other.ended;
    expect(other.failure!.detail).toEqual([expect.objectContaining({ loc: ['body', 'stop_token_ids', 0] })]);
  });
});

describe('EmbeddedTarget: expensive constraints', () => {
  const target = useBundledTarget(250);
  const refusal = (fields: Fields) => target().check(aChatRequest(fields));

  it.each<[string, string | string[]]>([
    ['choice', Array.from({ length: 100_000 }, (_, n) => `${n}`)],
    ['regex', '(a{1,900}){1,900}(b|a{1,900}){1,900}'],
  ])('is refused, and others are not: %s', async (name, value) => {
    const found = await refusal({ structured_outputs: { [name]: value } });
    expect(locsOf(found)).toEqual([[`structured_outputs.${name}`, 'value_error']]);
    expect(await refusal({ structured_outputs: { regex: 'a+' } })).toBeNull();
  });
});

const locsOf = (found: Awaited<ReturnType<EmbeddedTarget['check']>>) =>
  found?.status === 422 ? found.issues.map(({ loc, type }) => [loc.join('.'), type]) : found;
