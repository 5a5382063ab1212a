import { type FieldCase, flag, integer, number, object } from './field-case.fixture.js';

/** Numbers, flags and objects of any content, and members of objects. */
export const SIMPLE_FIELDS: FieldCase[] = [
  number(
    'temperature',
    [0, 2],
    [
      [-0.01, 'greater_than_equal'],
      [2.01, 'less_than_equal'],
    ],
  ),
  number(
    'top_p',
    [0.0001, 1],
    [
      [0, 'greater_than'],
      [1.01, 'less_than_equal'],
    ],
  ),
  number(
    'min_p',
    [0, 1],
    [
      [-0.01, 'greater_than_equal'],
      [1.01, 'less_than_equal'],
    ],
  ),
  number(
    'frequency_penalty',
    [-2, 2],
    [
      [-2.1, 'greater_than_equal'],
      [2.1, 'less_than_equal'],
    ],
  ),
  number(
    'presence_penalty',
    [-2, 2],
    [
      [-2.1, 'greater_than_equal'],
      [2.1, 'less_than_equal'],
    ],
  ),
  number('repetition_penalty', [0.01, 100], [[0, 'greater_than']]),
  number('length_penalty', [1], []),
  integer('top_k', [-1, 0, 5.0], [[-2, 'greater_than_equal']]),
  integer('max_tokens', [1, 3.0], [[0, 'greater_than_equal']]),
  integer('max_completion_tokens', [1], [[0, 'greater_than_equal']]),
  integer('min_tokens', [0, 1], [[-1, 'greater_than_equal']]),
  integer(
    'n',
    [1, 2],
    [
      [0, 'greater_than_equal'],
      [129, 'less_than_equal'],
    ],
  ),
  integer(
    'seed',
    [-1, 0, -(2 ** 63), 2 ** 63],
    [
      [2 ** 65, 'less_than_equal'],
      [-(2 ** 65), 'greater_than_equal'],
    ],
  ),
  integer(
    'prompt_logprobs',
    [0, 20],
    [
      [-1, 'greater_than_equal'],
      [21, 'less_than_equal'],
    ],
  ),
  integer(
    'truncate_prompt_tokens',
    [-1, 2 ** 63],
    [
      [-2, 'greater_than_equal'],
      [2 ** 64, 'less_than_equal'],
    ],
  ),
  integer('priority', [0, 9], [[-1, 'greater_than_equal']]),
  ...['logprobs', 'include_stop_str_in_output', 'skip_special_tokens', 'stream'].map((name) => flag(name)),
  ...['spaces_between_special_tokens', 'parallel_tool_calls', 'include_reasoning', 'echo'].map((name) => flag(name)),
  ...['add_special_tokens', 'return_token_ids', 'return_tokens_as_token_ids'].map((name) => flag(name)),
  ...['ignore_eos', 'add_generation_prompt'].map((name) => flag(name)),
  ...['use_beam_search', 'continue_final_message'].map((name) => flag(name, [false])),
  ...['chat_template_kwargs', 'mm_processor_kwargs', 'kv_transfer_params', 'stream_options'].map(object),
  ...['response_format', 'structured_outputs', 'repetition_detection'].map(object),
  ['stream_options.include_usage', [], [[1, 'bool_type']]],
  ['stream_options.continuous_usage_stats', [], [['x', 'bool_type']]],
  [
    'repetition_detection.max_pattern_size',
    [0],
    [
      [-1, 'greater_than_equal'],
      [1.5, 'int_type'],
    ],
  ],
  [
    'repetition_detection.min_pattern_size',
    [0],
    [
      [-1, 'greater_than_equal'],
      ['1', 'int_type'],
    ],
  ],
  [
    'repetition_detection.min_count',
    [0],
    [
      [-1, 'greater_than_equal'],
      [true, 'int_type'],
    ],
  ],
  [
    'response_format.type',
    ['text', 'json_object'],
    [
      ['xml', 'enum'],
      [1, 'enum'],
    ],
  ],
  ['response_format.json_schema', [], [['x', 'dict_type']]],
  ['structured_outputs.json', ['{"type":"null"}', { type: 'null' }], [[1, 'dict_type']]],
  ['structured_outputs.regex', ['a'], [[1, 'string_type']]],
  [
    'structured_outputs.choice',
    [['a']],
    [
      [[], 'too_short'],
      [[1], '0 string_type'],
      ['a', 'list_type'],
    ],
  ],
  ['structured_outputs.grammar', [], [[1, 'string_type']]],
  ['structured_outputs.json_object', [true, false], [[1, 'bool_type']]],
  ['structured_outputs.structural_tag', [], [[1, 'string_type']]],
  ['structured_outputs._backend', ['auto', 'hone'], [[1, 'string_type']]],
  ['structured_outputs.whitespace_pattern', [], [[1, 'string_type']]],
  ...['disable_fallback', 'disable_any_whitespace', 'disable_additional_properties', '_backend_was_auto'].map((name) =>
    flag(`structured_outputs.${name}`, [false]),
  ),
];
