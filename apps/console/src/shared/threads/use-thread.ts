import type { CallDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { exactHone } from '../data/hone.js';
import { useProject } from '../data/project.js';
import { rootsOf, toTurns } from './turns.js';

const COLUMNS = ['id', 'parent_id', 'started_at', 'exception', 'inputs', 'output'];
const POLL_MS = 5_000;

/** The turns of a conversation, the oldest first; none: there is no such conversation. */
export function useThread(id: string) {
  const project = useProject();
  return useQuery({
    queryKey: ['thread', project.id, id],
    queryFn: async ({ signal }) => {
      const calls: CallDto[] = [];
      const query = { project_id: project.id, filter: { thread_ids: [id] }, columns: COLUMNS };
      for await (const call of exactHone.trace.queryCalls(query, { signal })) calls.push(call);
      return toTurns(rootsOf(calls));
    },
    refetchInterval: POLL_MS,
  });
}
