import type { Scorer } from '../../../shared/scorers/scorer.js';
import { isJudged, isMadeByJudge, judgesOf } from './judges.js';

const scorer = (id: string, definition: object | null): Scorer => ({
  ...{ id, digest: 'd', version: 0, name: id, description: '', savedAt: '', userId: '' },
  definition: definition as Scorer['definition'],
});
const SCORERS = [
  scorer('helpful', { kind: 'llm', llm: { ratings: [{ name: 'value' }], tags: [{ name: 'polite' }] } }),
  scorer('exact', { kind: 'check', check: { check: 'exact' } }),
  scorer('code', null),
];

it('finds the judges of metrics by the names of scores; checks are none', () => {
  const metrics = ['scores.helpful.polite', 'scores.exact.passed', 'scores.code', 'scores.helpful.other'];
  expect(judgesOf(metrics, SCORERS)).toEqual([
    { metric: 'scores.helpful.polite', scorer: SCORERS[0], criterion: 'polite' },
  ]);
  expect(['helpful.value', 'exact.passed', 'helpful'].map((name) => isJudged(name, SCORERS))).toEqual([
    true,
    false,
    false,
  ]);
});

it('knows the numbers of summaries that are made of what judges found', () => {
  const names = [
    'helpful.value.mean',
    'helpful.polite.true_fraction',
    'exact.passed.true_count',
    'code.mean',
    'helpful',
  ];
  expect(names.map((name) => isMadeByJudge(name, SCORERS))).toEqual([true, true, false, false, false]);
});
