import type { CheckDto, JsonValue } from '@hone/contracts';

import { compileTextCheck } from './text-checks.js';

const run = (check: Partial<CheckDto>, value: JsonValue, expected: JsonValue = null) =>
  compileTextCheck(check as CheckDto)({ value, expected });
const passes = (check: Partial<CheckDto>, value: JsonValue, expected?: JsonValue) => {
  const result = run(check, value, expected);
  return 'passed' in result ? result.passed : result.missing;
};

describe('a check of texts', () => {
  it('compares them exactly, or without case and white space at the ends', () => {
    expect(passes({ check: 'exact' }, 'Cold', 'Cold')).toBe(true);
    expect(passes({ check: 'exact' }, ' cold', 'Cold')).toBe(false);
    expect(passes({ check: 'exact', ignore_case: true }, ' cold\n', 'Cold')).toBe(true);
    expect(passes({ check: 'contains' }, 'it is cold', 'cold')).toBe(true);
    expect(passes({ check: 'contains' }, null, 'cold')).toBe(false);
    expect(passes({ check: 'contains' }, 'x', null)).toBe('reference');
  });

  it('searches patterns in linear time', () => {
    expect(passes({ check: 'regex', pattern: '^\\d{3}$' }, '123')).toBe(true);
    expect(passes({ check: 'regex', pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toBe(false);
  });

  it('reads JSON where it compares values', () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
    expect(passes({ check: 'json_schema', schema }, '{"a": 1}')).toBe(true);
    expect(passes({ check: 'json_schema', schema }, '{"a": 1.5}')).toBe(false);
    expect(passes({ check: 'json_schema', schema }, 'a: 1')).toBe(false);
    expect(passes({ check: 'json_equal' }, '{"a": [1, 2.0], "b": null}', { b: null, a: [1, 2] })).toBe(true);
    expect(passes({ check: 'json_equal' }, '[1, 2]', [2, 1])).toBe(false);
  });

  it('compares numbers by the wider of two tolerances', () => {
    expect(run({ check: 'numeric' }, '3.5', 3.5)).toEqual({ passed: true, value: 0 });
    expect(passes({ check: 'numeric', abs: 0.1 }, '3.55', 3.5)).toBe(true);
    expect(passes({ check: 'numeric', rel: 0.01 }, 102, 100)).toBe(false);
    expect(passes({ check: 'numeric', rel: 0.05 }, 102, 100)).toBe(true);
    expect(passes({ check: 'numeric' }, 'about three', 3)).toBe(false);
    expect(passes({ check: 'numeric' }, 3, 'three')).toBe('reference');
  });

  it('counts changed characters by the longer text', () => {
    expect(run({ check: 'edit_distance', max: 0.5 }, 'kitten', 'sitting')).toEqual({ passed: true, value: 3 / 7 });
    expect(run({ check: 'edit_distance', max: 0 }, '', '')).toEqual({ passed: true, value: 0 });
    expect(passes({ check: 'edit_distance', max: 1 }, 'x'.repeat(20_000), 'y')).toBe('shorter_text');
  });

  it('tells languages apart', () => {
    const german = 'Das Wetter ist heute schön, und wir gehen zusammen durch den Wald spazieren.';
    expect(passes({ check: 'language', language: 'deu' }, german)).toBe(true);
    expect(passes({ check: 'language', language: 'eng' }, german)).toBe(false);
    expect(passes({ check: 'language', language: 'eng' }, null)).toBe(false);
  });

  it.each([
    [
      {
        choices: [{ message: { tool_calls: [{ type: 'function', function: { name: 'weather', arguments: '{}' } }] } }],
      },
    ],
    [
      {
        content: [
          { type: 'text', text: 'x' },
          { type: 'tool_use', name: 'weather', input: {} },
        ],
      },
    ],
    [{ output: [{ type: 'function_call', name: 'weather', arguments: '{}' }] }],
    [{ role: 'assistant', function_call: { name: 'weather', arguments: '{}' } }],
  ] as JsonValue[][])('finds the tools that %j calls', (output) => {
    expect(passes({ check: 'tool_called', tool: 'weather' }, output as unknown as JsonValue)).toBe(true);
    expect(passes({ check: 'tool_called', tool: 'wether' }, output as unknown as JsonValue)).toBe(false);
  });
});
