import { useQueries } from '@tanstack/react-query';

import { exactHone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import type { Row } from '../../shared/datasets/write-dataset.js';

/** Rows that are read at a time. */
export const BLOCK = 100;

/**
 * The rows of a table around those that are seen. @param from index of the first one that is seen @param to of the last
 */
export function useRows(table: string, from: number, to: number) {
  const project = useProject();
  const first = Math.floor(from / BLOCK);
  const count = Math.max(1, Math.floor(Math.max(from, to) / BLOCK) - first + 1);
  return useQueries({
    queries: Array.from({ length: count }, (_, at) => ({
      queryKey: ['rows', project.id, table, first + at],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const body = { project_id: project.id, digest: table, limit: BLOCK, offset: (first + at) * BLOCK };
        return (await exactHone.trace.queryTable(body, { signal })).rows.map(({ val }) => val as Row);
      },
      // A table never changes: its digest names its content.
      staleTime: Infinity,
    })),
    combine: (blocks) => ({
      error: blocks.find(({ error }) => error !== null)?.error ?? null,
      retry: () => blocks.forEach((block) => void (block.error && block.refetch())),
      /** undefined: it is being read. */
      rowAt: (index: number): Row | undefined => blocks[Math.floor(index / BLOCK) - first]?.data?.[index % BLOCK],
    }),
  });
}
