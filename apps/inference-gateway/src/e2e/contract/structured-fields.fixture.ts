import { said } from './contract.fixture.js';
import type { FieldCase } from './field-case.fixture.js';

const text = (length: number) => 'x'.repeat(length);
const list = <T>(length: number, item: T): T[] => Array(length).fill(item);
const tool = (name: string, more: object = {}) => ({ function: { name, ...more } });

/** Texts, lists, and objects with rules of their own. */
export const STRUCTURED_FIELDS: FieldCase[] = [
  [
    'model',
    ['hone-tiny'],
    [
      [undefined, 'missing'],
      [null, 'string_type'],
      ['', 'string_too_short'],
      [text(513), 'string_too_long'],
      [1, 'string_type'],
    ],
  ],
  [
    'messages',
    [
      said('x'),
      [
        { role: 'developer', content: 'x' },
        { role: 'user', content: [] },
      ],
    ],
    [
      [undefined, 'missing'],
      [[], 'too_short'],
      [{}, 'list_type'],
      ['x', 'list_type'],
      [[1], '0 dict_type'],
    ],
  ],
  [
    'messages.0.role',
    ['user'],
    [
      ['', 'string_too_short'],
      [text(65), 'string_too_long'],
      [1, 'string_type'],
      [undefined, 'missing'],
    ],
  ],
  [
    'messages.0.content',
    ['', [{ type: 'text', text: '' }]],
    [
      [null, 'missing'],
      [1, 'string_type'],
      [{}, 'string_type'],
      [[1], '0 dict_type'],
      [[{}], '0.type missing'],
      [[{ type: 'text' }], '0.text missing'],
    ],
  ],
  [
    'messages.0.name',
    ['n', ''],
    [
      [1, 'string_type'],
      [[], 'string_type'],
    ],
  ],
  [
    'logit_bias',
    [{}, { 5: -100, 6: 100 }],
    [
      [{ 5: 101 }, '5 less_than_equal'],
      [{ 5: -101 }, '5 greater_than_equal'],
      [{ 5: '1' }, '5 float_type'],
      [{ x: 1 }, 'x string_pattern_mismatch'],
      [{ '-1': 1 }, '-1 string_pattern_mismatch'],
      [[], 'dict_type'],
      [Object.fromEntries(list(1_025, 0).map((zero, id) => [id, zero])), 'too_many'],
    ],
  ],
  [
    'stop',
    ['x', text(1_024), [], list(64, 'x')],
    [
      ['', 'string_too_short'],
      [text(1_025), 'string_too_long'],
      [list(65, 'x'), 'too_many'],
      [[''], '0 string_too_short'],
      [[1], '0 string_type'],
      [1, 'list_type'],
    ],
  ],
  [
    'stop_token_ids',
    [[], [0], list(256, 5)],
    [
      [list(257, 5), 'too_many'],
      [[-1], '0 greater_than_equal'],
      [['1'], '0 int_type'],
      [1, 'list_type'],
    ],
  ],
  [
    'bad_words',
    [[], [text(128)], list(256, 'qqq')],
    [
      [list(257, 'q'), 'too_many'],
      [[''], '0 string_too_short'],
      [[text(129)], '0 string_too_long'],
      ['q', 'list_type'],
    ],
  ],
  [
    'allowed_token_ids',
    [[5]],
    [
      [[], 'too_short'],
      [[-1], '0 greater_than_equal'],
      [5, 'list_type'],
    ],
  ],
  [
    'tools',
    [[], [tool('f')], [{ type: 'function', ...tool(text(128), { parameters: {}, strict: null, description: '' }) }]],
    [
      [{}, 'list_type'],
      [[1], '0 dict_type'],
      [[{}], '0.function missing'],
      [[{ type: 'x', ...tool('f') }], '0.type enum'],
      [[tool('')], '0.function.name string_too_short'],
      [[tool(text(129))], '0.function.name string_too_long'],
      [[tool('f', { parameters: [] })], '0.function.parameters dict_type'],
      [[tool('f', { strict: 1 })], '0.function.strict bool_type'],
      [[tool('f', { description: 1 })], '0.function.description string_type'],
    ],
  ],
  [
    'tool_choice',
    ['none'],
    [
      ['any', 'enum'],
      [1, 'enum'],
      [{ type: 'x', function: { name: 'f' } }, 'type enum'],
    ],
  ],
  [
    'functions',
    [[], [{ name: 'f' }]],
    [
      [{}, 'list_type'],
      [['f'], '0 dict_type'],
      [[{ name: '' }], '0.name string_too_short'],
    ],
  ],
  [
    'function_call',
    ['none'],
    [
      ['required', 'enum'],
      [1, 'enum'],
    ],
  ],
  [
    'documents',
    [[]],
    [
      [{}, 'list_type'],
      [[1], '0 dict_type'],
    ],
  ],
  ['chat_template', [], [[1, 'string_type']]],
  [
    'engine_xargs',
    [{}],
    [
      [[], 'dict_type'],
      [{ a: {} }, 'a value_error'],
      [{ a: [[]] }, 'a value_error'],
      [{ a: true }, 'a value_error'],
    ],
  ],
  [
    'request_id',
    ['a', text(128)],
    [
      ['', 'string_pattern_mismatch'],
      [text(129), 'string_pattern_mismatch'],
      ['a b', 'string_pattern_mismatch'],
      ['"', 'string_pattern_mismatch'],
      [1, 'string_type'],
    ],
  ],
  [
    'user',
    ['', text(512)],
    [
      [text(513), 'string_too_long'],
      [1, 'string_type'],
    ],
  ],
  [
    'cache_salt',
    ['x', text(128)],
    [
      ['', 'string_too_short'],
      [text(129), 'string_too_long'],
      [1, 'string_type'],
    ],
  ],
];
