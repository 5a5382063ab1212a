import type { ImprovementDto } from '@hone/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';

const POLL_MS = 2_000;
const SLOW_POLL_MS = 10_000;
const MODELS = 100;

export const isRunning = ({ status }: Pick<ImprovementDto, 'status'>): boolean => status === 'running';

/** An improvement, which is looked at again until it has ended. */
export const useImprovement = (id: string) =>
  useQuery({
    queryKey: ['improvement', id],
    queryFn: ({ signal }) => hone.evaluation.getImprovement({ improvement_id: id }, { signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? POLL_MS : false),
  });

/** The improvements of the project, the newest first, page by page. */
export function useImprovements() {
  const { id: project_id } = useProject();
  return useInfiniteQuery({
    queryKey: ['improvements', project_id],
    queryFn: ({ pageParam, signal }) =>
      hone.evaluation.listImprovements({ project_id, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ improvements }) => improvements.some(isRunning)) ? POLL_MS : SLOW_POLL_MS,
  });
}

/** Cancels an improvement with what it works on. */
export function useCancelling(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => hone.evaluation.cancelImprovement({ improvement_id: id }),
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [of] }) => of === 'improvement' || of === 'improvements',
      }),
  });
}

/** The models of the project that can be trained, the newest first. */
export function useTrainableModels() {
  const { id, entity, name } = useProject();
  return useQuery({
    queryKey: ['trainable models', id],
    queryFn: ({ signal }) =>
      hone.training.listTrainableModels({ entity, project: name, limit: MODELS, order: 'desc' }, { signal }),
    // Pages show ids in place of names meanwhile.
    refetchInterval: ({ state }) => (state.error ? POLL_MS : false),
  });
}

/** What a model is called. A deleted one, or one that cannot be read now, is called by its id. */
export function useModelName(): (id: string) => string {
  const { data } = useTrainableModels();
  return (id) => data?.data.find((one) => one.id === id)?.name ?? `model ${id.slice(0, 8)}`;
}
