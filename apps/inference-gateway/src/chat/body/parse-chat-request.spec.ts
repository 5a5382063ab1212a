import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import { parseChatRequest } from './parse-chat-request.js';

const LIMITS = { maxLogprobs: 20, maxChoices: 128 };
const BASE = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

const parse = (changes: object) => parseChatRequest(Buffer.from(JSON.stringify({ ...BASE, ...changes })), LIMITS, 0);

/** `field type` of each issue of a request; empty when it is right. */
function issuesOf(changes: object): string[] {
  try {
    parse(changes);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    const { detail } = error.body as { detail: { loc: (string | number)[]; type: string }[] };
    return detail.map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`);
  }
}

const tools = [{ function: { name: 'f' } }];
const custom = (name: string) => ({ type: 'custom', custom: { name } });
const allowed = (mode: string, ...of: object[]) => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools: of },
});
const text = (length: number) => 'x'.repeat(length);
const ids = (length: number) => Array.from({ length }, (_, index) => index);

describe('parseChatRequest', () => {
  it.each<[string, unknown[]]>([
    ['temperature', [0, 2]],
    ['top_p', [0.0001, 1]],
    ['top_k', [-1, 0, 50]],
    ['min_p', [0, 1]],
    ['frequency_penalty', [-2, 2]],
    ['presence_penalty', [-2, 2]],
    ['repetition_penalty', [0.01, 5]],
    ['logit_bias', [{}, { '5': -100, '6': 100 }]],
    ['max_tokens', [1, 3.0]],
    ['n', [1, 128]],
    ['seed', [-1, 0, -(2 ** 63), 2 ** 53 + 2]],
    ['stop', ['x', [], Array(64).fill(text(1024))]],
    ['stop_token_ids', [[], ids(256)]],
    ['bad_words', [[], [text(128)]]],
    ['allowed_token_ids', [[0]]],
    ['tools', [tools, [], [{ type: 'function', function: { name: text(128), parameters: {}, strict: null } }]]],
    ['tools', [[{ type: 'custom', custom: { name: 'sql', description: 'd', format: { type: 'text' } } }]]],
    ['functions', [[], [{ name: 'f', parameters: {} }]]],
    ['metadata', [{}, { run: 'r1' }]],
    ['truncate_prompt_tokens', [-1, 8, 4_611_686_018_427_388_000, 2 ** 63]],
    ['request_id', ['a', text(128)]],
    ['user', ['', text(512)]],
    ['cache_salt', ['x', text(128)]],
    ['engine_xargs', [{ a: 1, b: 'x', c: [1, 'y'] }]],
    ['response_format', [{ type: 'text' }, { json_schema: { schema: {} } }]],
    ['structured_outputs', [{}, { json: '{}' }, { choice: ['a'] }, { _backend: 'auto' }]],
    ['priority', [0, 5]],
    ['x_foo', [1, { any: 'thing' }]],
    ['messages', [[{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], [{ role: 'assistant', content: null }]]],
  ])('takes %s at its limits', (field, values) => {
    for (const value of values) expect({ value, issues: issuesOf({ [field]: value }) }).toEqual({ value, issues: [] });
  });

  it.each<[string, unknown, string]>([
    ['model', undefined, 'model missing'],
    ['model', '', 'model string_too_short'],
    ['model', text(513), 'model string_too_long'],
    ['model', 3, 'model string_type'],
    ['messages', undefined, 'messages missing'],
    ['messages', [], 'messages too_short'],
    ['messages', {}, 'messages list_type'],
    ['messages', [{ content: 'x' }], 'messages.0.role missing'],
    ['messages', [{ role: 'user', content: null }], 'messages.0.content missing'],
    ['messages', [{ role: 'user', content: 7 }], 'messages.0.content string_type'],
    ['messages', [{ role: 'user', content: [{ type: 'text' }] }], 'messages.0.content.0.text missing'],
    ['temperature', 2.01, 'temperature less_than_equal'],
    ['temperature', '1', 'temperature float_type'],
    ['temperature', true, 'temperature float_type'],
    ['top_p', 0, 'top_p greater_than'],
    ['top_k', -2, 'top_k greater_than_equal'],
    ['top_k', 1.5, 'top_k int_type'],
    ['repetition_penalty', 0, 'repetition_penalty greater_than'],
    ['logit_bias', { x: 1 }, 'logit_bias.x string_pattern_mismatch'],
    ['logit_bias', { '5': 101 }, 'logit_bias.5 less_than_equal'],
    ['logit_bias', Object.fromEntries(ids(1025).map((id) => [id, 0])), 'logit_bias too_many'],
    ['logprobs', 1, 'logprobs bool_type'],
    ['max_tokens', 0, 'max_tokens greater_than_equal'],
    ['n', 129, 'n less_than_equal'],
    ['stop', '', 'stop string_too_short'],
    ['stop', Array(65).fill('x'), 'stop too_many'],
    ['stop_token_ids', ids(257), 'stop_token_ids too_many'],
    ['stop_token_ids', [-1], 'stop_token_ids.0 greater_than_equal'],
    ['bad_words', [''], 'bad_words.0 string_too_short'],
    ['allowed_token_ids', [], 'allowed_token_ids too_short'],
    ['tools', [{ type: 'custom', custom: {} }], 'tools.0.custom.name missing'],
    ['tools', [{ type: 'custom', function: { name: 'f' } }], 'tools.0.custom missing'],
    ['functions', [{}], 'functions.0.name missing'],
    ['function_call', 'required', 'function_call enum'],
    ['metadata', ['a'], 'metadata dict_type'],
    ['tool_choice', { type: 'allowed_tools' }, 'tool_choice.allowed_tools missing'],
    [
      'tool_choice',
      { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
      'tool_choice.allowed_tools.tools too_short',
    ],
    [
      'tool_choice',
      { type: 'allowed_tools', allowed_tools: { mode: 'all', tools: [tools[0]] } },
      'tool_choice.allowed_tools.mode enum',
    ],
    ['tools', [{ type: 'code', function: { name: 'f' } }], 'tools.0.type enum'],
    ['tools', [{ function: { name: '' } }], 'tools.0.function.name string_too_short'],
    ['tool_choice', 'maybe', 'tool_choice enum'],
    ['truncate_prompt_tokens', -2, 'truncate_prompt_tokens greater_than_equal'],
    ['request_id', 'a"b', 'request_id string_pattern_mismatch'],
    ['cache_salt', '', 'cache_salt string_too_short'],
    ['engine_xargs', { a: {} }, 'engine_xargs.a value_error'],
    ['documents', [1], 'documents.0 dict_type'],
    ['priority', -9, 'priority greater_than_equal'],
    ['response_format', { type: 'xml' }, 'response_format.type enum'],
  ])('refuses a wrong %s (%#)', (field, value, issue) => {
    expect(issuesOf({ [field]: value })).toEqual([issue]);
  });

  it('reads null as absent in every optional field', () => {
    const optional = Object.keys(parse({}).dto).length;
    expect(optional).toBe(2);
    const nulls = ['temperature', 'stop', 'tools', 'stream_options', 'seed', 'user', 'structured_outputs', 'n'];
    expect(issuesOf(Object.fromEntries(nulls.map((name) => [name, null])))).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['top_logprobs without logprobs', { top_logprobs: 2 }, 'top_logprobs'],
    ['prompt_logprobs in a stream', { prompt_logprobs: 0, stream: true }, 'prompt_logprobs'],
    ['stream_options without stream', { stream_options: { include_usage: true } }, 'stream_options'],
    [
      'continuous usage without usage',
      { stream: true, stream_options: { include_usage: false, continuous_usage_stats: true } },
      'stream_options.continuous_usage_stats',
    ],
    ['more tokens at least than at most', { min_tokens: 5, max_tokens: 4 }, 'min_tokens'],
    ['two shapes', { structured_outputs: { regex: 'a', choice: ['a'] } }, 'structured_outputs'],
    ['a modifier alone', { structured_outputs: { disable_any_whitespace: true } }, 'structured_outputs'],
    ['an empty pattern', { structured_outputs: { regex: '' } }, 'structured_outputs'],
    ['NUL in a pattern', { structured_outputs: { regex: 'a\0' } }, 'structured_outputs'],
    [
      'two ways to shape',
      { structured_outputs: { regex: 'a' }, response_format: { type: 'json_object' } },
      'structured_outputs',
    ],
    [
      'a shape and a forced call',
      { structured_outputs: { regex: 'a' }, tools, tool_choice: 'required' },
      'structured_outputs',
    ],
    ['a tool choice without tools', { tool_choice: 'auto' }, 'tool_choice'],
    ['a named tool that is not there', { tools, tool_choice: { function: { name: 'g' } } }, 'tool_choice'],
    ['a named tool without name', { tools, tool_choice: { function: {} } }, 'tool_choice'],
    [
      'both ways of generation',
      { continue_final_message: true, add_generation_prompt: true },
      'continue_final_message',
    ],
    ['going on after a user', { continue_final_message: true }, 'continue_final_message'],
    [
      'impossible repetition',
      { repetition_detection: { max_pattern_size: 2, min_pattern_size: 3, min_count: 2 } },
      'repetition_detection',
    ],
    ['a repetition seen once', { repetition_detection: { max_pattern_size: 2, min_count: 1 } }, 'repetition_detection'],
    ['a streamed beam search', { use_beam_search: true, stream: true }, 'use_beam_search'],
    ['a schema format without schema', { response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
    ['two tools of one name', { tools: [...tools, ...tools] }, 'tools'],
    ['a function and a custom tool of one name', { tools: [...tools, custom('f')] }, 'tools'],
    ['a custom tool that is not there', { tools, tool_choice: custom('f') }, 'tool_choice'],
    [
      'an allowed tool that is not there',
      { tools, tool_choice: allowed('auto', ...tools, custom('g')) },
      'tool_choice',
    ],
    ['a tool choice for no tools', { tools: [], tool_choice: 'required' }, 'tool_choice'],
    ['functions beside tools', { tools, functions: [{ name: 'f' }] }, 'functions'],
    ['two functions of one name', { functions: [{ name: 'f' }, { name: 'f' }] }, 'functions'],
    ['a function to call without functions', { function_call: 'auto' }, 'function_call'],
    [
      'a function to call that is not there',
      { functions: [{ name: 'f' }], function_call: { name: 'g' } },
      'function_call',
    ],
    [
      'a shape and an allowed call that must come',
      { structured_outputs: { regex: 'a' }, tools, tool_choice: allowed('required', ...tools) },
      'structured_outputs',
    ],
  ])('refuses %s', (_name, changes, loc) => {
    expect(issuesOf(changes)).toContain(`${loc} value_error`);
  });

  it.each<[string, object]>([
    ['both limits', { max_tokens: 5, max_completion_tokens: 3 }],
    [
      'a format beside tools that may be called',
      { response_format: { type: 'json_object' }, tools, tool_choice: 'auto' },
    ],
    ['the choice of a custom tool', { tools: [...tools, custom('g')], tool_choice: custom('g') }],
    ['allowed tools', { tools: [...tools, custom('g')], tool_choice: allowed('required', ...tools, custom('g')) }],
    [
      'a shape beside allowed tools',
      { structured_outputs: { regex: 'a' }, tools, tool_choice: allowed('auto', ...tools) },
    ],
    ['a function to call', { functions: [{ name: 'f' }], function_call: { name: 'f' } }],
    ['empty lists of tools', { tools: [], functions: [], tool_choice: 'none', function_call: 'none' }],
    ['several streamed choices', { n: 3, stream: true }],
    ['ids without logprobs', { return_token_ids: true }],
    ['empty stream options without stream', { stream_options: {} }],
    ['neutral structured outputs', { structured_outputs: { json: null, json_object: false, disable_fallback: false } }],
  ])('takes %s', (_name, changes) => {
    expect(issuesOf(changes)).toEqual([]);
  });

  it('reports ten of sixty issues in at most 8 KiB', () => {
    const messages = Array.from({ length: 60 }, () => ({ role: 1, [text(5_000)]: 1 }));
    try {
      parse({ messages });
      throw new Error('It should have been refused.');
    } catch (error) {
      const body = (error as InvalidRequestError).body as { detail: unknown[] };
      expect(body.detail).toHaveLength(10);
      expect(JSON.stringify(body).length).toBeLessThan(8_192);
    }
  });
});
