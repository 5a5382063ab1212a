import { type ContractApp, issuesOf, said, startContractApp } from './contract.fixture.js';

const text = (length: number) => 'x'.repeat(length);
const list = <T>(length: number, item: T): T[] => Array(length).fill(item);
const tool = (name: string, more: object = {}) => ({ function: { name, ...more } });

/** A field, values just inside of its range, and values just outside or of another type with the issue of each. */
type FieldCase = [field: string, inside: unknown[], outside: [value: unknown, issue: string][]];

const number = (field: string, inside: number[], outside: [number, string][]): FieldCase => [
  field,
  inside,
  [...outside, ...['1', true, [], {}].map((value): [unknown, string] => [value, 'float_type'])],
];
const integer = (field: string, inside: number[], outside: [number, string][]): FieldCase => [
  field,
  inside,
  [...outside, ...['1', true, 1.5, []].map((value): [unknown, string] => [value, 'int_type'])],
];
const flag = (field: string, inside: boolean[] = [true, false]): FieldCase => [
  field,
  inside,
  [0, 1, 'true', []].map((value): [unknown, string] => [value, 'bool_type']),
];
const object = (field: string): FieldCase => [
  field,
  [{}],
  [[], 'x', 1, true].map((value): [unknown, string] => [value, 'dict_type']),
];

const CASES: FieldCase[] = [
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
    [[tool('f')], [{ type: 'function', ...tool(text(128), { parameters: {}, strict: null, description: '' }) }]],
    [
      [[], 'too_short'],
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

/** A request with `value` at a dotted path. */
function requestWith(path: string, value: unknown): object {
  const [field, ...rest] = path.split('.') as [string, ...string[]];
  if (rest.length === 0) return { [field]: value };
  if (field === 'messages') return { messages: [{ role: 'user', content: 'x', [rest[1]!]: value }] };
  return { [field]: { [rest[0]!]: value } };
}

describe('each field of a chat completion', () => {
  let gateway: ContractApp;
  beforeAll(async () => {
    gateway = await startContractApp();
  });
  afterAll(() => gateway.close());

  it.each(CASES)('passes at its limits: %s', async (field, inside) => {
    for (const value of inside) {
      const { status, text: body } = await gateway.ask({ max_tokens: 2, ...requestWith(field, value) });
      expect({ value, status, body: status === 200 ? '' : body }).toEqual({ value, status: 200, body: '' });
    }
  });

  it.each(CASES)('is refused beyond them, and by another type, with its place: %s', async (field, _, outside) => {
    for (const [value, issue] of outside) {
      const [place, type] = issue.includes(' ') ? issue.split(' ') : [undefined, issue];
      const loc = ['body', field, ...(place ? [place] : [])].join('.');
      const model = field === 'model' ? {} : { model: 'ok' };
      const answer = await gateway.ask({ ...model, ...requestWith(field, value) });
      expect({ value, issues: issuesOf(answer) }).toEqual({ value, issues: [`${loc} ${type}`] });
    }
    expect(gateway.fake.count()).toBe(0);
  });

  it('takes the most choices and likeliest tokens that there may be', async () => {
    expect((await gateway.answer({ n: 128, max_tokens: 1 })).choices).toHaveLength(128);
    const { choices } = await gateway.answer({ logprobs: true, top_logprobs: 20, max_tokens: 1 });
    expect(choices[0]!.logprobs!.content[0]!.top_logprobs).toHaveLength(20);
    for (const top_logprobs of [21, -1, 1.5]) {
      const type = top_logprobs === 21 ? 'less_than_equal' : top_logprobs === -1 ? 'greater_than_equal' : 'int_type';
      expect(issuesOf(await gateway.ask({ logprobs: true, top_logprobs }))).toEqual([`body.top_logprobs ${type}`]);
    }
  });

  it('is told with others, ten at most, in 8 KiB at most', async () => {
    const wide = '\u0001'.repeat(5_000);
    const messages = list(60, { role: 1, content: 'x' });
    const deep = { [wide]: list(90, 0).reduce<object>((inner) => ({ [wide.slice(0, 400)]: inner }), { a: 1 }) };
    const bodies = [
      { messages },
      { logit_bias: Object.fromEntries(list(60, 0).map((_, at) => [wide + at, 0])) },
      { engine_xargs: Object.fromEntries(list(60, 0).map((_, at) => [wide + at, {}])) },
      { model: wide },
      deep,
    ];
    const answers = await Promise.all(bodies.map((fields) => gateway.ask(fields)));
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 200]);
    for (const { text: body } of answers) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(8_192);
    expect(answers[0]!.json().detail).toHaveLength(10);
    expect(answers[0]!.json().error.message).toBe('body.messages.0.role: Input should be a valid string (and 59 more)');
    const infinite = JSON.stringify({ model: 'hone-tiny', messages: said('x'), ...deep }).replace(
      '{"a":1}',
      '{"a":1e999}',
    );
    const { status, text: body } = await gateway.caller.post('/v1/chat/completions', infinite);
    expect(status).toBe(422);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(8_192);
  });
});
