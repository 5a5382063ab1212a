import type { ComparisonDto } from '@hone/client';
import { useQueries } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { objectRef } from '../../../shared/data/refs.js';
import type { AdvisoryReason } from '../../../shared/labels/advisory.js';
import { useScorers } from '../../../shared/scorers/use-scorers.js';
import { judgesOf, type MetricJudge } from './judges.js';
import type { CompareSettings } from './use-comparison.js';
import { winMetric } from './win-rate.js';

/** More reports would take long to make. */
const MAX_JUDGES = 10;

export interface KnownJudge extends MetricJudge {
  /** Why nothing should be decided by it; null: it is as good as is asked; undefined: that is being read. */
  readonly advisory: AdvisoryReason | null | undefined;
}

/** The judges of a comparison by metric, and whether they may be trusted. */
export function useJudges(comparison: ComparisonDto, settings: CompareSettings): ReadonlyMap<string, KnownJudge> {
  const project = useProject();
  const scorers = useScorers();
  const { labelled, choice } = settings;
  const metrics = new Set(
    comparison.comparisons.flatMap(({ metrics: compared, win_rates }) => [
      ...compared.flatMap(({ metric, source }) => (source === 'score' ? [metric] : [])),
      ...win_rates.map(winMetric),
    ]),
  );
  const judges = judgesOf([...metrics], scorers.data ?? []).slice(0, MAX_JUDGES);
  const reports = useQueries({
    queries: judges.map(({ scorer, criterion, metric }) => {
      const body = {
        ...{ project_id: project.id, scorer: objectRef(project.id, scorer.id, scorer.digest), criterion },
        truth: metric === labelled && choice.isReady ? choice.truth : null,
      };
      return {
        queryKey: ['judge report', body],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => hone.evaluation.reportJudge(body, { signal }),
      };
    }),
  });
  return new Map(judges.map((judge, at) => [judge.metric, { ...judge, advisory: reports[at]?.data?.advisory_reason }]));
}
