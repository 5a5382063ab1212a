import { Ajv2020 } from 'ajv/dist/2020.js';

import type { ConstraintThread } from './constraint-thread.js';
import { toGrammar } from './source-grammar.js';
import { accepts, openThread, walk } from './token-walk.fixture.js';

const TEXT = { type: 'string' };
const WHOLE = { type: 'integer' };
/** Of one to four bytes, escaped ones among them. */
const CHARACTERS = ['a', '"', 'é', '\\', '😀', '\n'];
/** Codes of every second letter, again and again: many options of a pattern. */
const ODD = Array.from({ length: 65 }, (_, index) => 0x61 + 2 * (index % 13));
const style = { whitespace: 'any' as const, onlyDeclared: false };
const jsonSchema = (schema: unknown) => ({ kind: 'json_schema' as const, schema, ...style });
const closed = (properties: object, required: string[] = [], more = {}) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...more,
});

describe('a JSON schema as a constraint', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  let thread: ConstraintThread;

  beforeAll(() => {
    thread = openThread();
  });
  afterAll(() => thread.close());

  it.each<[string, unknown]>([
    ['strings', TEXT],
    ['integers', WHOLE],
    ['numbers', { type: 'number' }],
    ['booleans or null', { type: ['boolean', 'null'] }],
    ['anything', {}],
    ['enum', { enum: ['a', 1, null, { x: 1 }, [1, 2]] }],
    ['enum of one type', { type: 'string', enum: ['a', 1] }],
    ['const', { const: { a: [1, 'x"\\é\n'] } }],
    ['objects with optional members', closed({ a: TEXT, b: WHOLE, c: WHOLE }, ['b'])],
    ['objects whose members are all optional', closed({ a: WHOLE, b: WHOLE })],
    ['a required member that is not declared', { type: 'object', properties: { a: WHOLE }, required: ['z'] }],
    ['names that need escapes', closed({ 'a"b': WHOLE, '': WHOLE, 'é\n': WHOLE }, ['a"b', '', 'é\n'])],
    ['other members of one kind', closed({ ab: WHOLE, abc: WHOLE, é: WHOLE }, [], { additionalProperties: TEXT })],
    ['arrays of two or three', { type: 'array', items: WHOLE, minItems: 2, maxItems: 3 }],
    ['tuples', { prefixItems: [WHOLE, TEXT], items: { type: 'boolean' }, minItems: 3, maxItems: 4 }],
    ['tuples that may end early', { prefixItems: [WHOLE, TEXT], items: false }],
    ['lengths of strings', { type: 'string', minLength: 2, maxLength: 4 }],
    ['a pattern', { type: 'string', pattern: '^(?:ab|[^"c]d)+x?$' }],
    ['a pattern with what JSON escapes', { type: 'string', pattern: '^["\\\\\\n]{2}[é😀]\\d$' }],
    ['limits of integers', { type: 'integer', minimum: -12, maximum: 1207 }],
    ['limits of integers between two', { type: 'integer', exclusiveMinimum: 5.5, exclusiveMaximum: 8 }],
    ['limits of numbers', { type: 'number', minimum: -3, exclusiveMaximum: 2 }],
    ['limits of numbers around zero', { type: 'number', exclusiveMinimum: 0, maximum: 1 }],
    ['anyOf', { anyOf: [TEXT, closed({ a: WHOLE })] }],
    [
      'oneOf told apart by a member',
      {
        oneOf: [
          closed({ kind: { const: 'a' }, v: WHOLE }, ['kind', 'v']),
          closed({ kind: { const: 'b' }, v: TEXT }, ['kind']),
        ],
      },
    ],
    ['a reference', { $ref: '#/$defs/a~1b', $defs: { 'a/b': WHOLE } }],
    ['recursion', closed({ next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }, ['next'])],
    ['allOf of one', { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: WHOLE } }],
    ['several levels', closed({ list: { type: 'array', items: closed({ n: TEXT }, ['n']), maxItems: 2 } }, ['list'])],
  ])('lets only valid texts through: %s', async (_, schema) => {
    const isValid = ajv.compile(schema as object);
    const texts = await Promise.all(
      Array.from({ length: 12 }, (_text, seed) => walk(thread, jsonSchema(schema), seed)),
    );
    const whole = texts.filter((text) => text !== null);
    expect(whole.length).toBeGreaterThan(5);
    for (const text of whole) expect([text, isValid(JSON.parse(text))]).toEqual([text, true]);
  });

  it.each([
    [0, 3],
    [2, 4],
    [0, 31],
    [0, 32],
    [31, 33],
    [5, 70],
    [32, 32],
    [33, 129],
    [0, 1_000],
    [1, Infinity],
    [40, Infinity],
  ])('counts the characters of strings: %d to %d', async (minLength, maxLength) => {
    const source = jsonSchema({ type: 'string', minLength, ...(maxLength < Infinity && { maxLength }) });
    const lengths = new Set([minLength - 1, minLength, minLength + 40, maxLength - 1, maxLength, maxLength + 1]);
    for (const length of lengths) {
      if (length < 0 || length > 2_000) continue;
      const text = Array.from({ length }, (_, index) => CHARACTERS[index % CHARACTERS.length]).join('');
      const isWithin = length >= minLength && length <= maxLength;
      expect([length, await accepts(thread, source, JSON.stringify(text))]).toEqual([length, isWithin]);
    }
  });

  it.each<[string, string[], string[]]>([
    ['a.{0,40}z', ['az', `a${'é'.repeat(40)}z`], [`a${'b'.repeat(41)}z`, 'a', 'a\nz']],
    ['[^x]{33,100}', ['y'.repeat(33), 'y'.repeat(64), 'y'.repeat(100)], ['y'.repeat(32), 'y'.repeat(101)]],
    ['(a|bc|[d-f]){2,35}', ['abc', 'bcbc', 'd'.repeat(35)], ['a', 'ab', 'd'.repeat(36)]],
    ['(a|b)*c|(a|b)+', ['c', 'abac', 'ba'], ['', 'cc', 'acb']],
    [`(${ODD.map((code) => `[${String.fromCharCode(code)}x]`).join('|')}|yz)*!`, ['acex!', 'yz!', '!'], ['b!', 'z!']],
    ['(?:ä|[^ä]\\n){2}', ['ää', 'äx\n'], ['ä', 'äö']],
  ])('takes all texts that match %s, and no others', async (pattern, matching, others) => {
    const source = { kind: 'regex' as const, pattern };
    for (const text of [...matching, ...others]) {
      expect([text, await accepts(thread, source, text)]).toEqual([text, matching.includes(text)]);
    }
  });

  it.each<[string, RegExp]>([
    ['date', /^\d{4}-(0[1-9]|1[0-2])-([0-2]\d)$/],
    ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/],
    ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    ['ipv4', /^(\d{1,3}\.){3}\d{1,3}$/],
    ['email', /^[\w.+-]+@[a-z0-9.-]+\.[a-z0-9-]+$/],
  ])('knows the format %s', async (format, expected) => {
    for (let seed = 0; seed < 4; seed++) {
      const text = await walk(thread, jsonSchema({ type: 'string', format }), seed);
      if (text !== null) expect(JSON.parse(text)).toMatch(expected);
    }
  });

  it.each<[string, unknown]>([
    ['multipleOf', { type: 'integer', multipleOf: 3 }],
    ['uniqueItems', { type: 'array', uniqueItems: true }],
    ['contains', { type: 'array', contains: WHOLE }],
    ['patternProperties', { type: 'object', patternProperties: { '^x': WHOLE } }],
    ['minProperties', { type: 'object', minProperties: 1 }],
    ['not', { not: TEXT }],
    ['if', { if: TEXT }],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }],
    ['unevaluatedProperties', { unevaluatedProperties: false }],
    ['maximum', { $ref: '#/$defs/a', maximum: 3, $defs: { a: WHOLE } }],
    ['properties', { properties: {}, anyOf: [{ required: ['b'] }] }],
    ['allOf', { allOf: [WHOLE, { maximum: 3 }] }],
    ['oneOf', { oneOf: [{ type: 'integer', minimum: 0 }, { type: 'number' }] }],
    ['format', { type: 'string', format: 'color' }],
    ['pattern', { type: 'string', pattern: 'a', maxLength: 3 }],
    ['minimum', { type: 'number', minimum: 0.5 }],
    ['#anchor', { $ref: '#anchor' }],
    ['strange', closed({ a: { strange: 1 } })],
  ])('refuses by name what it cannot enforce: %s', (name, schema) => {
    expect(() => toGrammar(jsonSchema(schema))).toThrow(
      expect.objectContaining({ code: 'engine.constraint_unsupported', message: expect.stringContaining(name) }),
    );
  });

  it.each<[string, unknown]>([
    ['no schema', 3],
    ['false', false],
    ['an unknown type', { type: 'text' }],
    ['an empty enum', { enum: [] }],
    ['limits that leave nothing', { type: 'integer', minimum: 5, maximum: 3 }],
    ['a required member that is not allowed', closed({}, ['a'])],
    ['a reference to nothing', { $ref: '#/$defs/a' }],
    ['a reference to itself', { $ref: '#/$defs/a', $defs: { a: { anyOf: [WHOLE, { $ref: '#/$defs/a' }] } } }],
    ['a pattern that is none', { type: 'string', pattern: '(' }],
  ])('says that it is not valid: %s', (_, schema) => {
    expect(() => toGrammar(jsonSchema(schema))).toThrow(expect.objectContaining({ code: 'engine.constraint_invalid' }));
  });

  it('bounds depth and size', () => {
    let deep: unknown = TEXT;
    for (let level = 0; level < 100; level++) deep = { type: 'array', items: deep };
    const wide = closed(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`name${index}`, deep])));
    const tooLarge = expect.objectContaining({ code: 'engine.constraint_too_large' });
    expect(() => toGrammar(jsonSchema(deep))).toThrow(tooLarge);
    expect(() => toGrammar(jsonSchema(wide))).toThrow(tooLarge);
    expect(() => toGrammar(jsonSchema({ type: 'string', maxLength: 1e9 }))).toThrow(tooLarge);
  });

  it('counts the states of all patterns together', () => {
    const two = closed({ a: { type: 'string', pattern: '^a{60}$' }, b: { type: 'string', pattern: '^b{40}$' } });
    expect(() => toGrammar(jsonSchema(two), 99)).toThrow('The patterns have more than 99 states.');
    expect(toGrammar(jsonSchema(two), 100)).toContain('{60,60}');
    expect(() => toGrammar({ kind: 'regex', pattern: '[a-z]{100}' }, 99)).toThrow('more than 99 states');
  });

  it('keeps to declared members, and to the blanks that are asked for', async () => {
    const schema = { type: 'object', properties: { a: WHOLE }, required: ['a'], additionalProperties: true };
    const source = { kind: 'json_schema' as const, schema, whitespace: 'none' as const, onlyDeclared: true };
    for (let seed = 0; seed < 5; seed++) expect(await walk(thread, source, seed)).toMatch(/^\{"a":-?\d+\}$/);
  });
});
