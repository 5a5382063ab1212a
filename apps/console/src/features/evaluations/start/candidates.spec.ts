import { toCandidates } from './candidates.js';

it.each([
  [
    { model: 'm', prompt: '', temperature: '0' },
    { model: 'm', parameters: { temperature: 0 } },
  ],
  [{ model: '', prompt: 'p', temperature: ' ' }, { prompt: 'p' }],
  [
    { model: 'm', prompt: 'p', temperature: '' },
    { model: 'm', prompt: 'p' },
  ],
])('%j is sent without what is empty', (draft, sent) => expect(toCandidates([draft])).toEqual([sent]));

it('names candidates apart that have the same model and prompt', () => {
  const draft = { model: 'hone-artifact:///a/b/c:v1', prompt: '', temperature: '' };
  const names = toCandidates([draft, { ...draft, temperature: '1' }, { ...draft, model: 'm' }]).map(({ name }) => name);
  expect(names).toEqual(['hone-artifact_a_b_c_v1-1', 'hone-artifact_a_b_c_v1-2', undefined]);
});
