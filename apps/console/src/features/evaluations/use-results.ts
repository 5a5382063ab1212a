import type { EvalResultsDto, EvalRunSummaryDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { exactHone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { type ResultRow, toResultRow } from './results.js';

const PAGE_SIZE = 500;
/** Rows that no run has predicted may be all of a large dataset: the first ones are read. */
export const MAX_MISSING = 500;

export interface Results {
  readonly rows: readonly ResultRow[];
  /** How many rows each run has. */
  readonly summary: readonly EvalRunSummaryDto[];
}

const POLL_MS = 5_000;

/**
 * What runs found, row by row, and the rows that they miss.
 *
 * @param isRunning whether more is found meanwhile: then it is read again and again, and once more at the end
 */
export function useResults(runs: readonly string[], isRunning = false) {
  const project = useProject();
  const key = runs.join();
  return useQuery({
    queryKey: ['evaluation results', project.id, key, isRunning],
    queryFn: async ({ signal }): Promise<Results> => {
      const rows = new Map<string, ResultRow>();
      const params = { entity: project.entity, project: project.name };
      const read = async (fields: object): Promise<EvalResultsDto> => {
        const body = { evaluation_run_ids: [...runs], limit: PAGE_SIZE, ...fields };
        const page = await exactHone.trace.queryEvalResults(params, body, { signal });
        for (const row of page.rows) rows.set(row.row_digest, toResultRow(row));
        return page;
      };
      for (let offset = 0, total = 1; offset < total; offset += PAGE_SIZE) total = (await read({ offset })).total_rows;
      const { summary } = await read({ filter: { statuses: ['missing'] }, limit: MAX_MISSING });
      return { rows: [...rows.values()], summary };
    },
    enabled: runs.length > 0,
    refetchInterval: isRunning ? POLL_MS : false,
    // Of the same runs: those of others would stand under their names.
    placeholderData: (before, query) => (query?.queryKey[2] === key ? before : undefined),
  });
}
