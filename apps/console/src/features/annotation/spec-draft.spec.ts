import { toControl } from '../../shared/annotation/rubric.js';
import { EMPTY_SPEC, isComplete, objectIdOf, toFieldSchema } from './spec-draft.js';

const NAMED = { ...EMPTY_SPEC, name: 'How good?' };

it('a criterion becomes a schema whose control offers what was meant', () => {
  const kindOf = (draft: object) => toControl(toFieldSchema({ ...NAMED, ...draft })).kind;
  expect(kindOf({ kind: 'scale' })).toBe('choice');
  expect(kindOf({ kind: 'boolean' })).toBe('choice');
  expect(kindOf({ kind: 'choices', choices: 'good, bad' })).toBe('choice');
  expect(kindOf({ kind: 'number' })).toBe('number');
  expect(kindOf({ kind: 'text' })).toBe('text');
});

it('choices are trimmed, and each is there once', () => {
  expect(toFieldSchema({ ...NAMED, kind: 'choices', choices: ' good, bad,,good ' })).toEqual({
    ...{ type: 'string', enum: ['good', 'bad'] },
  });
});

it('the name of its object has only characters that one may have', () => {
  expect(objectIdOf(NAMED)).toBe('how_good_');
  expect(objectIdOf({ ...NAMED, name: 'Größe' })).toBe('größe');
});

it.each([
  [{}, true],
  [{ name: ' ' }, false],
  [{ min: 5 }, false],
  [{ max: 4.5 }, false],
  [{ kind: 'choices' as const, choices: 'one' }, false],
  [{ kind: 'choices' as const, choices: 'one, two' }, true],
])('%j is complete: %s', (change, expected) => {
  expect(isComplete({ ...NAMED, ...change })).toBe(expected);
});
