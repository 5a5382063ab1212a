import { EMPTY_DRAFT, missingOf, toImprovement, toProposal } from './improve-draft.js';

const DRAFT = { ...EMPTY_DRAFT, modelId: 'm', scorers: ['bare'] };
const FULL = {
  ...{
    ...DRAFT,
    calls: 'thread_id exists',
    dataset: 'sums',
    teacher: 'large',
    prompt: 'brief',
    alias: 'canary',
    trials: '4',
    maxTokens: '24',
    temperature: '0',
  },
  ...{ budget: '2.5', minutes: '30' },
};

describe('toImprovement', () => {
  it('leaves what is not filled in to the server', () => {
    expect(toImprovement('acme/demo', DRAFT)).toEqual({
      ...{ project_id: 'acme/demo', model_id: 'm', alias: null, teacher: null, prompt: null, data: null },
      evaluate: { scorers: ['bare'], dataset: null, trials: null, parameters: {} },
      ...{ max_cost_usd: null, max_minutes: null },
    });
  });

  it('sends what is filled in, zeros included', () => {
    expect(toImprovement('acme/demo', FULL)).toEqual({
      ...{ project_id: 'acme/demo', model_id: 'm', alias: 'canary', teacher: 'large', prompt: 'brief' },
      data: { source: { query: { $expr: { $convert: { input: { $getField: 'thread_id' }, to: 'exists' } } } } },
      evaluate: { scorers: ['bare'], dataset: 'sums', trials: 4, parameters: { max_tokens: 24, temperature: 0 } },
      ...{ max_cost_usd: 2.5, max_minutes: 30 },
    });
  });
});

describe('toProposal', () => {
  it('is a dry run that does not change with what decides nothing', () => {
    const { budget, trials, ...deciding } = FULL;
    expect(toProposal('acme/demo', FULL)).toEqual(toProposal('acme/demo', { ...deciding, budget: '9', trials: '1' }));
    expect(toProposal('acme/demo', FULL).dry_run).toBe(true);
    expect(toProposal('acme/demo', FULL)).not.toEqual(toProposal('acme/demo', { ...FULL, teacher: '' }));
    expect(toProposal('acme/demo', FULL)).not.toEqual(toProposal('acme/demo', { ...FULL, calls: '' }));
    expect([budget, trials]).toEqual(['2.5', '4']);
  });
});

it.each([
  [{ modelId: '' }, /model/],
  [{ scorers: [] }, /who judges/],
  [{ calls: 'thread_id ==' }, /query/],
])('%j is not enough to say what the calls allow', (change, missing) => {
  expect(missingOf(FULL)).toBeNull();
  expect(missingOf({ ...FULL, ...change })).toMatch(missing);
});
