import type { ScorerDefinitionDto } from '@hone/client';

import { scaleOf, toQuestion, usualWidth } from './question.js';

const JUDGE = {
  kind: 'llm',
  llm: {
    ratings: [{ name: 'helpful', min: 1, max: 5, description: 'How much it helps.' }],
    tags: [{ name: 'polite', description: 'It thanks.' }],
  },
} as unknown as ScorerDefinitionDto;
const CHECK = { kind: 'check', check: { check: 'latency', max: 5 } } as unknown as ScorerDefinitionDto;

it('asks people on the scale of the judge', () => {
  expect(toQuestion(JUDGE, 'helpful judge', 'helpful')).toEqual({
    ...{ id: 'helpful_judge-helpful', title: 'helpful judge: helpful', description: 'How much it helps.' },
    schema: { type: 'integer', minimum: 1, maximum: 5 },
  });
  expect(toQuestion(JUDGE, 'helpful judge', 'polite')).toMatchObject({
    ...{ description: 'It thanks.', schema: { type: 'boolean' } },
  });
  expect(toQuestion(CHECK, 'fast', 'passed').schema).toEqual({ type: 'boolean' });
  expect(toQuestion(CHECK, 'fast', 'value').schema).toEqual({ type: 'number' });
});

it.each([
  [JUDGE, 'helpful', 0.2],
  [JUDGE, 'polite', 0.05],
  [CHECK, 'passed', 0.05],
  [CHECK, 'value', 1],
])('begins with a twentieth of the scale', (definition, criterion, width) =>
  expect(usualWidth(scaleOf(definition, criterion))).toBe(width),
);
