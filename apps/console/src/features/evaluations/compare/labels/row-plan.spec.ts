import type { ComparedLabelPlanDto } from '@hone/client';

import { rowPlan } from './row-plan.js';

const plan = (withJudge: number | null, alone: number | null, labels = 0): ComparedLabelPlanDto => ({
  ...{ width: 0.5, with_judge: withJudge, without_judge: alone, labels, pairs: 200 },
  basis: labels >= 20 ? 'labels' : 'verdicts',
});

it('is that of the candidate that needs the most', () => {
  expect(rowPlan([plan(30, 90, 40), plan(50, 70, 25)])).toEqual({ rows: 50, alone: 90, labels: 25 });
  expect(rowPlan([plan(30, 90, 40), plan(60, 60, 3)])).toEqual({ rows: 60, alone: 90, labels: 0 });
});

it('says where not even all rows are enough', () => {
  expect(rowPlan([plan(30, null, 40), plan(40, 80, 30)])).toEqual({ rows: 40, alone: null, labels: 30 });
  expect(rowPlan([plan(null, null)]).rows).toBeNull();
});

it('is twenty rows where nothing can be planned', () =>
  expect(rowPlan([null, null])).toEqual({ rows: 20, alone: 20, labels: 0 }));
