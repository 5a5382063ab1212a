import type { CallDto, EvaluationRunDto, EvaluationVersionDto } from '@hone/client';

import { parseRef } from '../../shared/data/refs.js';
import { metricsOf } from './metrics.js';

/** A run of an evaluation, of the interface's own or of a tracing SDK. */
export interface Run {
  readonly id: string;
  /** Ref; null: the run names none. */
  readonly evaluation: string | null;
  /** Ref; null: the run names none. */
  readonly model: string | null;
  readonly status: string;
  readonly startedAt: string;
  /** Numbers of its summary by dotted names. */
  readonly summary: ReadonlyMap<string, number>;
}

export const toRun = (run: EvaluationRunDto): Run => ({
  id: run.evaluation_run_id,
  evaluation: run.evaluation,
  model: run.model,
  status: run.status,
  startedAt: run.started_at,
  summary: metricsOf(run.summary),
});

/** A call in which a tracing SDK ran an evaluation. */
export function toSdkRun({ id, inputs, output, started_at, ended_at, exception }: CallDto): Run {
  const { self, model } = (inputs ?? {}) as Record<string, unknown>;
  return {
    ...{ id, evaluation: refOf(self), model: refOf(model), startedAt: started_at ?? '' },
    status: exception ? 'error' : ended_at ? 'success' : 'running',
    summary: metricsOf(output),
  };
}

const refOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Newest first; a run that both lists have is there once. */
export const mergeRuns = (...lists: readonly (readonly Run[])[]): Run[] =>
  [...new Map(lists.flat().map((run) => [run.id, run])).values()].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));

/** The newest of the runs that succeeded, for each model and evaluation. @param runs newest first */
export function newestOfModels(runs: readonly Run[]): Run[] {
  const newest = new Map<string, Run>();
  for (const run of runs) {
    const key = `${run.evaluation ?? ''} ${run.model ?? ''}`;
    if (run.status === 'success' && !newest.has(key)) newest.set(key, run);
  }
  return [...newest.values()];
}

/** Names the dataset of a run; '': the run names none. */
export function datasetNames(evaluations: readonly EvaluationVersionDto[]): (run: Run) => string {
  const datasetOf = new Map(evaluations.map(({ object_id, dataset }) => [object_id, parseRef(dataset)?.name ?? '']));
  return ({ evaluation }) => datasetOf.get(parseRef(evaluation)?.name ?? '') ?? '';
}

/** The other runs of the same dataset that succeeded, in the order of the list. */
export function rivalsOf(
  id: string,
  runs: readonly Run[],
  evaluations: readonly EvaluationVersionDto[],
): readonly Run[] {
  const of = datasetNames(evaluations);
  const run = runs.find((one) => one.id === id);
  const dataset = run ? of(run) : '';
  if (dataset === '') return [];
  return runs.filter((one) => one.id !== id && one.status === 'success' && of(one) === dataset);
}
