import { useQuery } from '@tanstack/react-query';

import { exactHone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { type ResultRow, toResultRow } from './results.js';

const PAGE_SIZE = 500;

/** What runs found, row by row. */
export function useResults(runs: readonly string[]) {
  const project = useProject();
  return useQuery({
    queryKey: ['evaluation results', project.id, runs],
    queryFn: async ({ signal }) => {
      const rows: ResultRow[] = [];
      const params = { entity: project.entity, project: project.name };
      for (let total = 1; rows.length < total;) {
        const body = { evaluation_run_ids: [...runs], limit: PAGE_SIZE, offset: rows.length };
        const page = await exactHone.trace.queryEvalResults(params, body, { signal });
        rows.push(...page.rows.map(toResultRow));
        total = page.rows.length === 0 ? 0 : page.total_rows;
      }
      return rows;
    },
    enabled: runs.length > 0,
  });
}
