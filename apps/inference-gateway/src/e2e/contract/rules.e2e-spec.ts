import { type ContractApp, issuesOf, said, startContractApp } from './contract.fixture.js';

const TOOL = { type: 'function', function: { name: 'f' } };
const named = (name?: string) => ({ type: 'function', function: { ...(name && { name }) } });
const CUSTOM = { type: 'custom', custom: { name: 'sql' } };
const OVER_LIMIT = '(a{1,900}){1,900}(b|a{1,900}){1,900}';

describe('fields that exclude each other', () => {
  let gateway: ContractApp;
  beforeAll(async () => {
    gateway = await startContractApp();
  });
  afterAll(() => gateway.close());

  it.each<[string, object, string]>([
    ['top_logprobs without logprobs', { top_logprobs: 1 }, 'top_logprobs'],
    ['top_logprobs with logprobs false', { top_logprobs: 1, logprobs: false }, 'top_logprobs'],
    ['prompt_logprobs in a stream', { prompt_logprobs: 0, stream: true }, 'prompt_logprobs'],
    ['stream_options without a stream', { stream_options: { include_usage: false } }, 'stream_options'],
    [
      'continuous usage without usage',
      { stream: true, stream_options: { include_usage: false, continuous_usage_stats: true } },
      'stream_options.continuous_usage_stats',
    ],
    ['more tokens at least than at most', { min_tokens: 3, max_tokens: 2 }, 'min_tokens'],
    ['more than the winning limit', { min_tokens: 3, max_tokens: 9, max_completion_tokens: 2 }, 'min_tokens'],
    ['two shapes', { structured_outputs: { regex: 'a', choice: ['a'] } }, 'structured_outputs'],
    ['a lone modifier', { structured_outputs: { disable_fallback: true } }, 'structured_outputs'],
    ['a lone pattern of blanks', { structured_outputs: { whitespace_pattern: ' ' } }, 'structured_outputs'],
    ['an empty pattern', { structured_outputs: { regex: '' } }, 'structured_outputs'],
    ['an empty schema text', { structured_outputs: { json: '' } }, 'structured_outputs'],
    ['NUL in a pattern', { structured_outputs: { regex: 'a\0b' } }, 'structured_outputs'],
    [
      'two ways to a shape',
      { structured_outputs: { choice: ['a'] }, response_format: { type: 'json_object' } },
      'structured_outputs',
    ],
    [
      'a shape and a call that must come',
      { structured_outputs: { choice: ['a'] }, tools: [TOOL], tool_choice: 'required' },
      'structured_outputs',
    ],
    [
      'a shape and a named call',
      { structured_outputs: { choice: ['a'] }, tools: [TOOL], tool_choice: named('f') },
      'structured_outputs',
    ],
    ['a choice without tools', { tool_choice: 'required' }, 'tool_choice'],
    ['a named choice without tools', { tool_choice: named('f') }, 'tool_choice'],
    ['a choice without name', { tools: [TOOL], tool_choice: named() }, 'tool_choice'],
    ['a choice of no tool', { tools: [TOOL], tool_choice: named('g') }, 'tool_choice'],
    [
      'both ways to begin',
      {
        messages: [...said('a'), { role: 'assistant', content: 'b' }],
        continue_final_message: true,
        add_generation_prompt: true,
      },
      'continue_final_message',
    ],
    ["going on with a user's message", { continue_final_message: true }, 'continue_final_message'],
    [
      'going on with a call',
      { messages: [...said('a'), { role: 'assistant', content: null }], continue_final_message: true },
      'continue_final_message',
    ],
    [
      'a smallest pattern above the largest',
      { repetition_detection: { max_pattern_size: 1, min_pattern_size: 2, min_count: 2 } },
      'repetition_detection',
    ],
    ['a repetition seen once', { repetition_detection: { max_pattern_size: 1, min_count: 1 } }, 'repetition_detection'],
    ['a streamed beam search', { use_beam_search: true, stream: true }, 'use_beam_search'],
    ['a format without its schema', { response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
    ['a format without its tag', { response_format: { type: 'structural_tag' } }, 'response_format'],
    ['two tools of one name', { tools: [TOOL, TOOL] }, 'tools'],
  ])('are refused before dispatch: %s', async (_, fields, loc) => {
    for (const model of ['hone-tiny', 'ok']) {
      expect(issuesOf(await gateway.ask({ model, ...fields }))).toEqual([`body.${loc} value_error`]);
    }
    expect(gateway.fake.count()).toBe(0);
  });

  it.each<[string, object, string]>([
    ['a pattern that is none', { structured_outputs: { regex: '(' } }, 'structured_outputs.regex value_error'],
    [
      'a pattern that grows too large',
      { structured_outputs: { regex: OVER_LIMIT } },
      'structured_outputs.regex value_error',
    ],
    ['a schema that is none', { structured_outputs: { json: '{' } }, 'structured_outputs.json value_error'],
    [
      'a schema of an unknown type',
      { response_format: { json_schema: { schema: { type: 'x' } } } },
      'response_format.json_schema.schema value_error',
    ],
    ['a grammar', { structured_outputs: { grammar: 'root ::= "a"' } }, 'structured_outputs unsupported_parameter'],
    [
      'another backend',
      { structured_outputs: { regex: 'a', _backend: 'outlines' } },
      'structured_outputs unsupported_parameter',
    ],
    ['a tag', { response_format: { type: 'structural_tag', structures: [] } }, 'response_format unsupported_parameter'],
    ['a length penalty', { length_penalty: 0.5 }, 'length_penalty unsupported_parameter'],
    ['a template', { chat_template: '{{ x }}' }, 'chat_template unsupported_parameter'],
    ['documents', { documents: [{ text: 'x' }] }, 'documents unsupported_parameter'],
    ['arguments of an engine', { engine_xargs: { a: 1 } }, 'engine_xargs unsupported_parameter'],
    [
      'pictures',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x' } }] }] },
      'messages.0.content.0.type unsupported_parameter',
    ],
    ['a custom tool', { tools: [TOOL, CUSTOM] }, 'tools.1.type unsupported_parameter'],
    ['a role of its own', { messages: [{ role: 'critic', content: 'x' }] }, 'messages.0.role unsupported_parameter'],
    ['a token id beyond the vocabulary', { stop_token_ids: [512] }, 'stop_token_ids.0 value_error'],
  ])('and unsupported features are reported by name: %s', async (_, fields, issue) => {
    for (const stream of [false, true]) {
      expect(issuesOf(await gateway.ask({ ...fields, stream }))).toEqual([`body.${issue}`]);
    }
  });

  it('and beam search are refused by the embedded engine', async () => {
    expect(issuesOf(await gateway.ask({ use_beam_search: true }))).toEqual([
      'body.use_beam_search unsupported_parameter',
    ]);
  });

  it('are all reported together', async () => {
    const fields = { top_logprobs: 1, min_tokens: 2, max_tokens: 1, tool_choice: 'auto' };
    const answer = await gateway.ask(fields);
    expect(issuesOf(answer)).toEqual(
      ['top_logprobs', 'min_tokens', 'tool_choice'].map((loc) => `body.${loc} value_error`),
    );
    expect(answer.json().error).toEqual({
      message: 'body.top_logprobs: top_logprobs needs logprobs true (and 2 more)',
      type: 'invalid_request_error',
      param: 'top_logprobs',
      code: 'value_error',
    });
  });

  it.each<[string, object]>([
    ['both limits', { max_tokens: 1, max_completion_tokens: 2 }],
    [
      'a format beside tools',
      { response_format: { type: 'json_object' }, tools: [TOOL], tool_choice: 'auto', max_tokens: 400 },
    ],
    ['an empty list of tools', { tools: [] }],
    ['a custom tool that no answer may call', { tools: [CUSTOM], tool_choice: 'none' }],
    ['metadata', { metadata: { run: 'r1' } }],
    ['ids without logprobs', { return_token_ids: true, return_tokens_as_token_ids: true }],
    ['empty stream_options without a stream', { stream_options: {} }],
    ['a beam search for an upstream that knows it', { model: 'ok', use_beam_search: true, length_penalty: 2 }],
    ['variables that no template reads', { chat_template_kwargs: { preserve_thinking: true, x: 1 } }],
    ['a template for an upstream', { model: 'ok', chat_template_kwargs: { x: 1 }, documents: [{ text: 'x' }] }],
  ])('do not include %s', async (_, fields) => {
    expect((await gateway.ask({ max_tokens: 2, ...fields })).status).toBe(200);
  });
});
