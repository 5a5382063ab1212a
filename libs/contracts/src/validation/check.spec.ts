import { IsOptional } from 'class-validator';

import { type Issue, issue, MAX_ISSUES } from '../issues/issue.js';
import { JsonNumber, parseJson } from '../json/index.js';
import { FeedbackBatchDto, FeedbackCreateDto } from '../trace/feedback.dto.js';
import { check } from './check.js';
import { MayOmit, Nested, NestedList, type Rule } from './rule.js';
import {
  IsFlag,
  IsInteger,
  IsJsonObject,
  IsJsonValue,
  IsNumber,
  IsText,
  IsTextList,
  IsTextMap,
  IsUnitIntervalMap,
  IsWord,
  listRule,
  mapRule,
} from './rules.js';

class InnerDto {
  @IsText() name!: string;
}

class OuterDto {
  @IsOptional() @IsText({ min: 2, max: 3 }) text?: string | null;
  @IsOptional() @IsInteger({ min: 0, max: 10 }) integer?: number | null;
  @IsOptional() @IsNumber({ min: 0, max: 1 }) number?: number | null;
  @IsOptional() @IsFlag() flag?: boolean | null;
  @IsOptional() @IsWord(['a', 'b', 'c']) word?: string | null;
  @IsOptional() @IsTextList({ maxItems: 2 }) list?: string[] | null;
  @MayOmit() @IsTextMap() map?: Record<string, string>;
  @MayOmit() @IsUnitIntervalMap() ratings?: Record<string, number>;
  @IsOptional() @IsJsonObject() object?: Record<string, unknown> | null;
  @IsOptional() @IsJsonValue() any?: unknown;
  @IsOptional() @Nested(() => InnerDto) inner?: InnerDto | null;
  @IsOptional() @NestedList(() => InnerDto) inners?: InnerDto[] | null;
}

const issuesOf = (text: string): Issue[] => check(OuterDto, parseJson(text), ['body']).issues;

describe('check', () => {
  it('makes an instance that has what was sent and nothing else', () => {
    const { value, issues } = check(OuterDto, parseJson('{"text":"ab","flag":null,"inner":{"name":"x"}}'));
    expect(issues).toEqual([]);
    expect(value).toBeInstanceOf(OuterDto);
    expect(value?.inner).toBeInstanceOf(InnerDto);
    expect(Object.entries(value as object)).toEqual([
      ['text', 'ab'],
      ['flag', null],
      ['inner', { name: 'x' }],
    ]);
  });

  it.each([
    ['{"text":1}', ['text'], 'string_type', 'Input should be a valid string'],
    ['{"text":"a"}', ['text'], 'string_too_short', 'String should have at least 2 characters'],
    ['{"text":"abcd"}', ['text'], 'string_too_long', 'String should have at most 3 characters'],
    ['{"text":"\\u0000ab"}', ['text'], 'string_unicode', 'String should not contain U+0000 or unpaired surrogates'],
    ['{"text":"\\ud800"}', ['text'], 'string_unicode', 'String should not contain U+0000 or unpaired surrogates'],
    ['{"integer":"5"}', ['integer'], 'int_type', 'Input should be a valid integer'],
    ['{"integer":5.5}', ['integer'], 'int_type', 'Input should be a valid integer'],
    ['{"integer":true}', ['integer'], 'int_type', 'Input should be a valid integer'],
    ['{"integer":-1}', ['integer'], 'greater_than_equal', 'Input should be greater than or equal to 0'],
    ['{"integer":11.0}', ['integer'], 'less_than_equal', 'Input should be less than or equal to 10'],
    ['{"number":"1"}', ['number'], 'float_type', 'Input should be a valid number'],
    [`{"number":${'9'.repeat(400)}}`, ['number'], 'finite_number', 'Input should be a finite number'],
    ['{"flag":1}', ['flag'], 'bool_type', 'Input should be a valid boolean'],
    ['{"word":"d"}', ['word'], 'enum', "Input should be 'a', 'b' or 'c'"],
    ['{"list":{}}', ['list'], 'list_type', 'Input should be a valid list'],
    ['{"list":["","",""]}', ['list'], 'too_many', 'List should have at most 2 items'],
    ['{"list":["",null]}', ['list', 1], 'string_type', 'Input should be a valid string'],
    ['{"map":[]}', ['map'], 'dict_type', 'Input should be a valid object'],
    ['{"map":null}', ['map'], 'dict_type', 'Input should be a valid object'],
    ['{"map":{"é":1}}', ['map', 'é'], 'string_type', 'Input should be a valid string'],
    ['{"ratings":{"a b":1.5}}', ['ratings', 'a b'], 'less_than_equal', 'Input should be less than or equal to 1'],
    ['{"object":[]}', ['object'], 'dict_type', 'Input should be a valid object'],
    ['{"object":1.0}', ['object'], 'dict_type', 'Input should be a valid object'],
    ['{"inner":[]}', ['inner'], 'dict_type', 'Input should be a valid object'],
    ['{"inner":{}}', ['inner', 'name'], 'missing', 'Field required'],
    ['{"inners":[{"name":""},{}]}', ['inners', 1, 'name'], 'missing', 'Field required'],
    ['{"inners":{"0":{}}}', ['inners'], 'list_type', 'Input should be a valid list'],
    ['{"inners":[{"name":"","x":1}]}', ['inners', 0, 'x'], 'extra_forbidden', 'Extra inputs are not permitted'],
    ['{"x":1}', ['x'], 'extra_forbidden', 'Extra inputs are not permitted'],
    ['{"__proto__":1}', ['__proto__'], 'extra_forbidden', 'Extra inputs are not permitted'],
    ['{"constructor":1}', ['constructor'], 'extra_forbidden', 'Extra inputs are not permitted'],
  ])('%s', (text, loc, type, msg) => {
    expect(issuesOf(text)).toEqual([{ loc: ['body', ...loc], msg, type }]);
  });

  it.each(['null', '[]', '"x"', '1.0', 'true'])('refuses %s as a body', (text) => {
    expect(issuesOf(text)).toEqual([{ loc: ['body'], msg: 'Input should be a valid object', type: 'dict_type' }]);
  });

  it('counts code points', () => {
    expect(issuesOf('{"text":"😀😀😀"}')).toEqual([]);
    expect(issuesOf('{"text":"😀😀😀😀"}')).toHaveLength(1);
  });

  it('takes 5.0 for an integer and hands on plain numbers where numbers are typed', () => {
    const { value } = check(OuterDto, parseJson('{"integer":5.0,"number":1e-1,"ratings":{"__proto__":1.0,"b":0.50}}'));
    expect(value).toMatchObject({ integer: 5, number: 0.1 });
    expect(Object.entries(value?.ratings ?? {})).toEqual([
      ['__proto__', 1],
      ['b', 0.5],
    ]);
  });

  it('hands on free values as they are', () => {
    const input = parseJson('{"object":{"__proto__":1.0},"any":[1.50]}') as Record<string, unknown>;
    const { value } = check(OuterDto, input);
    expect(value?.object).toBe(input['object']);
    expect(value?.any).toEqual([new JsonNumber('1.50')]);
  });

  it('lists issues in field order, by index, unknown fields last as sent', () => {
    const body = '{"z":1,"batch":[{"y":1,"feedback_type":"","x":1,"payload":[],"project_id":"a"},{}],"a":1}';
    expect(check(FeedbackBatchDto, parseJson(body), ['body']).issues.map(({ loc }) => loc.slice(1).join('.'))).toEqual([
      'batch.0.project_id',
      'batch.0.trace_ref',
      'batch.0.feedback_type',
      'batch.0.payload',
      'batch.0.y',
      'batch.0.x',
      'batch.1.project_id',
      'batch.1.trace_ref',
      'batch.1.feedback_type',
      'batch.1.payload',
      'z',
      'a',
    ]);
  });

  it('lists at most 100', () => {
    const batch = Array.from({ length: 1_000 }, () => ({}));
    expect(check(FeedbackBatchDto, { batch }).issues).toHaveLength(100);
    const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x${i}`, 1]));
    expect(check(FeedbackBatchDto, { batch: [], ...unknown }).issues).toHaveLength(100);
    const tags = Array.from({ length: 1_000 }, () => 1);
    expect(check(FeedbackCreateDto, { scorer_tags: tags }).issues).toHaveLength(100);
  });

  it('looks at no more values than it lists errors of', () => {
    const values = Array.from({ length: 5_000 }, () => 2);
    for (const [make, input] of [
      [listRule, values],
      [mapRule, { ...values }],
    ] as const) {
      let looks = 0;
      const item: Rule = { name: 'counted', schema: {}, issues: () => (looks++, [issue('float_type')]) };
      expect([make(item).issues(input).length, looks]).toEqual([MAX_ISSUES, MAX_ISSUES]);
    }
  });

  it('does not take inherited members for sent ones', () => {
    expect(check(InnerDto, Object.create({ name: 'inherited' })).issues).toMatchObject([{ type: 'missing' }]);
  });
});

describe('a DTO class', () => {
  it('gives instances without own properties: absent and undefined must not look alike', () => {
    expect(Object.getOwnPropertyNames(new FeedbackCreateDto())).toEqual([]);
    expect(Object.getOwnPropertyNames(new OuterDto())).toEqual([]);
  });
});
