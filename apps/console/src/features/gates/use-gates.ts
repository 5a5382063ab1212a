import type { GateDto } from '@hone/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';

const POLL_MS = 2_000;
const SLOW_POLL_MS = 10_000;

export const isOpen = ({ status }: Pick<GateDto, 'status'>): boolean => status === 'open';

/** A gate, which is looked at again while it is open. */
export const useGate = (id: string) =>
  useQuery({
    queryKey: ['gate', id],
    queryFn: ({ signal }) => hone.evaluation.getGate({ gate_id: id }, { signal }),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? POLL_MS : false),
  });

/** The gates of the project, the newest first, page by page. */
export function useGates() {
  const { id: project_id } = useProject();
  return useInfiniteQuery({
    queryKey: ['gates', project_id],
    queryFn: ({ pageParam, signal }) =>
      hone.evaluation.listGates({ project_id, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ gates }) => gates.some(isOpen)) ? POLL_MS : SLOW_POLL_MS,
  });
}
