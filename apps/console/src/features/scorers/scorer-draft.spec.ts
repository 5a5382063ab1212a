import type { ScorerDefinitionDto } from '@hone/client';
import { check, definitionIssues, ScorerDefinitionDto as Definition } from '@hone/contracts';

import { emptyPairwise } from './pairwise-draft.js';
import { CHECK_FIELDS, EMPTY_CHECK, emptyJudge, NEW_CHECK, NEW_SERVER, toDefinition, toDraft } from './scorer-draft.js';

const EXPRESSION = { $gt: [{ $getField: 'summary.hone.latency_ms' }, { $literal: 500 }] };
const DEFINITIONS: readonly ScorerDefinitionDto[] = [
  { kind: 'check', check: { check: 'exact', value: 'x', ignore_case: true } },
  { kind: 'check', check: { check: 'contains', reference: 'inputs.expected', of: 'output.answer' } },
  { kind: 'check', check: { check: 'regex', pattern: '^a+$' } },
  { kind: 'check', check: { check: 'json_schema', schema: { type: 'object' } } },
  { kind: 'check', check: { check: 'json_equal', value: { a: [1, null] } } },
  { kind: 'check', check: { check: 'numeric', value: 3, abs: 0.5, rel: 0.1 } },
  { kind: 'check', check: { check: 'edit_distance', value: 'x', max: 0.2 } },
  { kind: 'check', check: { check: 'latency', max: 100 } },
  { kind: 'check', check: { check: 'cost', max: 0.01 } },
  { kind: 'check', check: { check: 'tool_called', tool: 'search' } },
  { kind: 'check', check: { check: 'language', language: 'eng' } },
  { kind: 'check', check: { check: 'expression', query: { $expr: EXPRESSION } } },
  // The query line has no words for it.
  { kind: 'check', check: { check: 'expression', query: { $expr: { $gt: [{ $literal: 2 }, { $literal: 1 }] } } } },
  {
    kind: 'http',
    http: {
      url: 'https://j.example',
      ratings: [{ name: 'r', min: 0, max: 1 }, { name: 's' }],
      tags: ['t'],
      timeout_ms: 5,
    },
  },
  {
    kind: 'llm',
    llm: {
      model: 'm',
      messages: [{ role: 'user', content: '{{output}}' }],
      ratings: [{ name: 'r', min: -1, max: 1, description: 'how good', steps: { '-1': 'bad: wrong', '1': 'good' } }],
      tags: [{ name: 't', description: 'so' }, { name: 'u' }],
      ...{ reference: 'inputs.expected', votes: 3, temperature: 0.7, seed: 5, max_tokens: 64 },
    },
  },
  {
    kind: 'pairwise',
    pairwise: {
      model: 'm',
      messages: [{ role: 'user', content: '{{first}} {{second}}' }],
      ...{ against: 'inputs.expected', description: 'better', temperature: 0.7, seed: 5, max_tokens: 64 },
    },
  },
];

describe('the draft of a scorer', () => {
  it.each(DEFINITIONS)('is the definition %j again', (definition) => {
    expect(toDefinition(toDraft(definition))).toEqual(definition);
  });

  it('has fields for each check', () => {
    const tried = DEFINITIONS.flatMap(({ check: one }) => (one ? [one.check] : []));
    expect([...new Set(tried)].sort()).toEqual(Object.keys(CHECK_FIELDS).sort());
  });

  it('begins with what the service takes', () => {
    for (const draft of [emptyJudge('m'), emptyPairwise('m'), NEW_CHECK, { ...NEW_SERVER, url: 'https://j.example' }]) {
      const { value, issues } = check(Definition, toDefinition(draft));
      expect([issues, value && definitionIssues(value)]).toEqual([[], []]);
    }
  });

  it.each([
    [{ ...EMPTY_CHECK, check: 'numeric', fields: { value: 'three' } }, 'The expected value is no JSON'],
    [{ ...EMPTY_CHECK, check: 'latency', fields: { max: '1e999' } }, 'A limit is no number.'],
    [{ ...EMPTY_CHECK, check: 'json_schema', fields: { schema: '{' } }, 'The schema is no JSON'],
    [{ ...EMPTY_CHECK, check: 'expression', fields: { query: 'status =' } }, 'value'],
    [
      { ...emptyJudge('m'), ratings: [{ name: 'r', min: '1', max: '5', description: '', steps: 'good' }] },
      '“good” is no step',
    ],
    [{ ...emptyJudge('m'), votes: 'many' }, 'The number of votes is no number.'],
  ] as const)('%j says what cannot be read', (draft, problem) => {
    expect(() => toDefinition(draft)).toThrow(problem);
  });
});
