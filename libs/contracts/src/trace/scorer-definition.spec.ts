import { check } from '../validation/check.js';
import { ScorerDefinitionDto } from './scorer-definition.dto.js';
import { definitionIssues, fillTemplate, variablesOf } from './scorer-definition.js';

const issuesOf = (definition: object) => {
  const { value, issues } = check(ScorerDefinitionDto, definition);
  return value ? definitionIssues(value) : issues;
};
const message = { role: 'user', content: 'Answer: {{output}}' };
const judge = (more: object) => ({
  kind: 'llm',
  llm: { model: 'm', messages: [message], tags: [{ name: 'ok' }], ...more },
});
const compared = (more: object) => ({
  kind: 'pairwise',
  pairwise: { model: 'm', messages: [{ role: 'user', content: '1: {{first}} 2: {{second}} {{inputs.q}}' }], ...more },
});

describe('a definition of a scorer', () => {
  it.each([
    { kind: 'check', check: { check: 'exact', value: 'x', ignore_case: true } },
    { kind: 'check', check: { check: 'numeric', reference: 'inputs.expected', rel: 0.1 } },
    { kind: 'check', check: { check: 'latency', max: 100 }, llm: null },
    { kind: 'check', check: { check: 'expression', query: { $expr: { $eq: [{ $literal: 1 }, { $literal: 1 }] } } } },
    judge({}),
    judge({ tags: null, ratings: [{ name: 'r', min: 0, max: 1 }], reference: 'inputs.a' }),
    judge({ messages: [{ role: 'user', content: '{{ inputs.a.b }} {{messages}} {{inputs}}' }] }),
    compared({}),
    compared({ against: 'inputs.expected', description: 'What helps more.' }),
  ])('may be %j', (definition) => expect(issuesOf(definition)).toEqual([]));

  it.each([
    [{ kind: 'check' }, ['check']],
    [{ kind: 'check', check: { check: 'latency', max: 1 }, llm: judge({}).llm }, ['llm']],
    [{ kind: 'llm', llm: null }, ['llm']],
    [{ kind: 'check', check: { check: 'exact' } }, ['check', 'value']],
    [{ kind: 'check', check: { check: 'exact', value: 'x', reference: 'inputs.a' } }, ['check', 'reference']],
    [{ kind: 'check', check: { check: 'exact', value: 'x', pattern: 'x' } }, ['check', 'pattern']],
    [{ kind: 'check', check: { check: 'edit_distance', value: 'x' } }, ['check', 'max']],
    [{ kind: 'check', check: { check: 'latency', max: -1 } }, ['check', 'max']],
    [{ kind: 'check', check: { check: 'guess' } }, ['check', 'check']],
    [judge({ tags: [] }), ['llm', 'ratings']],
    [judge({ ratings: [{ name: 'ok', min: 1, max: 5 }] }), ['llm', 'ratings']],
    [judge({ ratings: [{ name: 'r', min: 5, max: 5 }] }), ['llm', 'ratings', 0, 'max']],
    [judge({ ratings: [{ name: 'r', min: 0.5, max: 5 }] }), ['llm', 'ratings', 0, 'min']],
    [judge({ messages: [] }), ['llm', 'messages']],
    [judge({ messages: [{ role: 'user', content: '{{answer}}' }] }), ['llm', 'messages', 0, 'content']],
    [judge({ messages: [{ role: 'user', content: '{{reference}}' }] }), ['llm', 'messages', 0, 'content']],
    [judge({ votes: 10 }), ['llm', 'votes']],
    [compared({ messages: [] }), ['pairwise', 'messages']],
    [compared({ messages: [{ role: 'user', content: '{{first}}' }] }), ['pairwise', 'messages']],
    [
      compared({ messages: [{ role: 'user', content: '{{first}} {{second}} {{output}}' }] }),
      ['pairwise', 'messages', 0, 'content'],
    ],
    [{ ...compared({}), llm: judge({}).llm }, ['llm']],
  ])('may not be %j', (definition, loc) => {
    expect(issuesOf(definition).map((issue) => issue.loc)).toEqual([loc]);
  });
});

it('fills templates, and leaves other braces alone', () => {
  const template = 'a {{ output }} {b} {{inputs.x}} {{}} {"c": {{output}}}';
  expect(variablesOf(template)).toEqual(['output', 'inputs.x', '', 'output']);
  expect(fillTemplate(template, (name) => `<${name}>`)).toBe('a <output> {b} <inputs.x> <> {"c": <output>}');
  // What a value says is no template, and no pattern of `replaceAll`.
  expect(fillTemplate('{{output}}', () => '$& {{inputs}}')).toBe('$& {{inputs}}');
});
