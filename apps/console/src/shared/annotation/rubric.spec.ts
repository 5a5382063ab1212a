import { answerOfDigit, type Control, levelOf, nextAnswer, toControl, toCriterion } from './rubric.js';

const SCALE = toControl({ type: 'integer', minimum: 1, maximum: 5 });
const YES_NO = toControl({ type: 'boolean' });
const CHOICES = toControl({ enum: ['good', 'bad', null] });

describe('the control of a criterion', () => {
  it('offers the points of a short scale, both answers of a question, and the values of a list', () => {
    const valuesOf = (control: Control) => control.kind === 'choice' && control.options.map(({ value }) => value);
    expect(valuesOf(SCALE)).toEqual([1, 2, 3, 4, 5]);
    expect(valuesOf(YES_NO)).toEqual([true, false]);
    expect(valuesOf(CHOICES)).toEqual(['good', 'bad', null]);
  });

  it.each([
    [
      { type: 'integer', minimum: 0, maximum: 100 },
      { kind: 'number', min: 0, max: 100, isInteger: true },
    ],
    [{ type: 'number' }, { kind: 'number', isInteger: false }],
    [{ type: 'string' }, { kind: 'text' }],
    [{ type: 'object' }, { kind: 'json' }],
    [{ enum: [] }, { kind: 'json' }],
    [
      { type: 'integer', minimum: 5, maximum: 1 },
      { kind: 'number', min: 5, max: 1, isInteger: true },
    ],
    [null, { kind: 'json' }],
  ])('of the schema %j is %j', (schema, control) => {
    expect(toControl(schema)).toEqual(control);
  });

  it('survives a spec of any form', () => {
    for (const val of [null, 3, [], { name: 7, field_schema: 'x' }])
      expect(toCriterion('hone:///a/b/object/quality:v0', val)).toMatchObject({ name: 'quality', title: 'quality' });
  });
});

describe('digits', () => {
  it.each([
    [SCALE, 4, 4],
    [SCALE, 6, undefined],
    [SCALE, 0, undefined],
    [YES_NO, 1, true],
    [YES_NO, 2, false],
    [CHOICES, 3, null],
    [CHOICES, 4, undefined],
    [toControl({ type: 'integer', minimum: 0, maximum: 2 }), 0, 0],
    [toControl({ type: 'number', maximum: 5 }), 6, undefined],
    [toControl({ type: 'string' }), 1, undefined],
  ] as const)('on %j: %i is %j', (control, digit, answer) => {
    expect(answerOfDigit(control, digit)).toBe(answer);
  });
});

describe('arrows', () => {
  it('begin at an end, move by one, and stop at the ends', () => {
    expect([nextAnswer(SCALE, undefined, 1), nextAnswer(SCALE, undefined, -1)]).toEqual([1, 5]);
    expect([nextAnswer(SCALE, 2, 1), nextAnswer(SCALE, 5, 1), nextAnswer(SCALE, 1, -1)]).toEqual([3, 5, 1]);
    expect(nextAnswer({ kind: 'text' }, 'as it is', 1)).toBe('as it is');
  });
});

it('agreement is measured by rank on scales, by distance of numbers, else by equality', () => {
  expect([SCALE, YES_NO, CHOICES, toControl({ type: 'number' })].map(levelOf)).toEqual([
    ...['ordinal', 'nominal', 'nominal', 'interval'],
  ]);
});
