import type { JudgeTruthDto } from '@hone/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { hone } from '../../../../shared/data/hone.js';
import { useProject } from '../../../../shared/data/project.js';
import { rowPlan } from './row-plan.js';

/**
 * How many rows people have to label, so that the differences to the first run are known within a width.
 *
 * @param metric as the interface names it
 * @param truth where the labels are; null: one cannot say yet
 */
export function useRowPlan(runs: readonly string[], metric: string, truth: JudgeTruthDto | null, width: number) {
  const { id: project_id } = useProject();
  const body = {
    ...{ project_id, runs: [...runs], metrics: [metric], widths: { [metric]: width } },
    truth: truth && [{ ...truth, metric }],
  };
  return useQuery({
    queryKey: ['row plan', body],
    queryFn: async ({ signal }) => {
      const { comparisons } = await hone.evaluation.compareRuns(body, { signal });
      return rowPlan(comparisons.map(({ metrics }) => metrics[0]?.label_plan ?? null));
    },
    enabled: width > 0,
    placeholderData: keepPreviousData,
  });
}
