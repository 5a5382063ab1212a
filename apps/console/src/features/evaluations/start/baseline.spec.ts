import type { ScorerDefinitionDto } from '@hone/client';

import { baselineNeed, candidateChoice, chosenCandidate, toBaseline } from './baseline.js';
import { toCandidates } from './candidates.js';

const pairwise = (against?: string): ScorerDefinitionDto => ({
  ...{ kind: 'pairwise', pairwise: { model: 'm', messages: [], ...(against && { against }) } },
});
const CHECK: ScorerDefinitionDto = { kind: 'check', check: { check: 'exact' } };

it.each([
  ['no', [CHECK, null]],
  ['may', [CHECK, pairwise('inputs.expected')]],
  ['must', [pairwise('inputs.expected'), pairwise()]],
] as const)('%s baseline is asked for by what scorers compare', (need, definitions) =>
  expect(baselineNeed(definitions)).toBe(need),
);

describe('a chosen baseline', () => {
  const drafts = [
    { model: 'hone-tiny', prompt: 'echo', temperature: '' },
    { model: 'gpt 5', prompt: '', temperature: '' },
  ];
  const sent = (choice: string) => toBaseline(choice, toCandidates(drafts, chosenCandidate(choice)));

  it('is a candidate by the name that the service gives it', () => {
    expect(sent(candidateChoice(0))).toBe('echo-hone-tiny');
    expect(sent(candidateChoice(1))).toBe('gpt-5');
  });

  it('is a candidate by its own name where two are alike', () => {
    const alike = [drafts[1]!, { ...drafts[1]!, temperature: '1' }];
    expect(toBaseline(candidateChoice(1), toCandidates(alike, 1))).toBe('gpt_5-2');
  });

  it('is an earlier run by its id, or nothing', () => {
    expect(sent('019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d')).toBe('019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d');
    expect(sent('')).toBeNull();
    expect(sent(candidateChoice(7))).toBeNull();
  });
});
