import { toUsd } from '@hone/calls';
import type { GradeResultDto, GradeVerdictDto } from '@hone/contracts';

import type { Outcome } from '../kinds/scorer-kind.js';
import type { Grader } from './graders.service.js';
import { rewardOf, scoreOf } from './reward.js';

/** @param outcomes of each grader, an outcome of each answer */
export function toGradeResult(
  graders: readonly Grader[],
  outcomes: readonly (readonly Outcome[])[],
  answers: number,
): GradeResultDto {
  const weights = graders.map(({ weight }) => weight);
  const grades = Array.from({ length: answers }, (_, at) => {
    const verdicts = graders.map((grader, index) => toVerdict(outcomes[index]?.[at] as Outcome, grader));
    return {
      reward: rewardOf(
        verdicts.map(({ score }) => score),
        weights,
      ),
      verdicts,
    };
  });
  return {
    scorers: graders.map(({ ref, criterion, weight }) => ({ scorer: ref, criterion: criterion.name, weight })),
    grades,
    cost_usd: toUsd(outcomes.flat().reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)),
    graded: grades.filter(({ reward }) => reward !== null).length,
  };
}

function toVerdict(outcome: Outcome, { criterion }: Grader): GradeVerdictDto {
  const { state, code, ratings, tags, reason, costNanoUsd, isTransient } = outcome;
  const score = scoreOf(outcome, criterion);
  const isUnscored = state === 'done' && score === null;
  return {
    // A check may decide without a number that the criterion names.
    ...(isUnscored ? { state: 'skipped', code: 'missing_criterion' } : { state, code }),
    ...{ retryable: isTransient, score, tags: [...tags], reason, cost_usd: toUsd(costNanoUsd) },
    ratings: Object.fromEntries(ratings.map(({ name, value }) => [name, value])),
  };
}
