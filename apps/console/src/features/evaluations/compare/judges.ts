import { criteriaOf, type Scorer } from '../../../shared/scorers/scorer.js';
import { scoreMetric } from './metric.js';

/** A judge of the project, and which of its criteria a metric is of. */
export interface MetricJudge {
  readonly metric: string;
  readonly scorer: Scorer;
  readonly criterion: string;
}

/** The judges that metrics are of, as far as the names of scores tell: a check is none. */
export const judgesOf = (metrics: readonly string[], scorers: readonly Scorer[]): readonly MetricJudge[] =>
  scorers.flatMap((scorer) => {
    const { id, definition } = scorer;
    if (definition === null || definition.kind === 'check') return [];
    return criteriaOf(definition)
      .map((criterion) => ({ scorer, criterion, metric: scoreMetric(`${id}.${criterion}`) }))
      .filter(({ metric }) => metrics.includes(metric));
  });

/** Whether a score is a judge's of the project, as far as its name tells. @param name as the page calls it */
export const isJudged = (name: string, scorers: readonly Scorer[]): boolean =>
  judgesOf([scoreMetric(name)], scorers).length > 0;

/** Whether a number of a run's summary, such as `helpful.value.mean`, is made of what a judge of the project found. */
export const isMadeByJudge = (name: string, scorers: readonly Scorer[]): boolean =>
  scorers.some(({ id, definition }) => definition !== null && definition.kind !== 'check' && name.startsWith(`${id}.`));
