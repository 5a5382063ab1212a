import type { PipelineDto, PipelineRunDto } from '@hone/client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';

const POLL_MS = 2_000;
const SLOW_POLL_MS = 10_000;

export const isRunning = (run: Pick<PipelineRunDto, 'status'> | null): boolean => run?.status === 'running';

/** The pipelines of the project, by name. */
export function usePipelines() {
  const { id: project_id } = useProject();
  return useQuery({
    queryKey: ['pipelines', project_id],
    queryFn: async ({ signal }) => (await hone.evaluation.listPipelines({ project_id }, { signal })).pipelines,
    refetchInterval: ({ state }) => (state.data?.some(({ last_run }) => isRunning(last_run)) ? POLL_MS : SLOW_POLL_MS),
  });
}

export const usePipeline = (id: string) =>
  useQuery({
    queryKey: ['pipeline', id],
    queryFn: ({ signal }) => hone.evaluation.getPipeline({ pipeline_id: id }, { signal }),
    refetchInterval: ({ state }) => (isRunning(state.data?.last_run ?? null) ? POLL_MS : SLOW_POLL_MS),
  });

/** The runs of a pipeline, the newest first, page by page. */
export const usePipelineRuns = (id: string) =>
  useInfiniteQuery({
    queryKey: ['pipeline-runs', id],
    queryFn: ({ pageParam, signal }) =>
      hone.evaluation.listPipelineRuns(
        { pipeline_id: id, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ runs }) => runs.some(isRunning)) ? POLL_MS : SLOW_POLL_MS,
  });

/** What an owner does with a pipeline. */
export function usePipelineActions({ id }: Pick<PipelineDto, 'id'>) {
  const queries = useQueryClient();
  const onSettled = () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [of] }) => ['pipelines', 'pipeline', 'pipeline-runs'].includes(of as string),
    });
  const starting = useMutation({
    mutationFn: () => hone.evaluation.startPipelineRun({ pipeline_id: id }),
    onSettled,
  });
  const pausing = useMutation({
    mutationFn: (paused: boolean) => hone.evaluation.updatePipeline({ pipeline_id: id }, { paused }),
    onSettled,
  });
  const cancelling = useMutation({
    mutationFn: (run_id: string) => hone.evaluation.cancelPipelineRun({ run_id }),
    onSettled,
  });
  const deleting = useMutation({ mutationFn: () => hone.evaluation.deletePipeline({ pipeline_id: id }), onSettled });
  return { starting, pausing, cancelling, deleting };
}
