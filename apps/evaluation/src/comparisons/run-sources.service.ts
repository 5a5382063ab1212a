import type { Principal } from '@hone/auth';
import type { StatusCounts } from '@hone/evaluation-results';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { ComparedRunsRepository, type RunRow } from './compared-runs.repository.js';
import type { ComparedSource } from './compared-source.js';
import { ComparedRunNotFoundError, ComparisonTooLargeError } from './comparisons.errors.js';
import { RunPlans } from './run-plans.js';

/** Calls right below the runs: their predictions, and few others. */
const MAX_PREDICTIONS = 100_000;

/** Evaluation runs to compare. */
@Injectable()
export class RunSources {
  constructor(
    private readonly runs: ComparedRunsRepository,
    private readonly plans: RunPlans,
  ) {}

  /**
   * @param options.areAwaited runs count that evaluations of the server have yet to begin: they have no predictions so far
   * @throws ComparedRunNotFoundError, ComparisonTooLargeError
   */
  async open(
    caller: Principal,
    project: OwnProject,
    ids: readonly string[],
    { areAwaited = false } = {},
  ): Promise<ComparedSource> {
    const { rowId } = project;
    const calls = await this.findRuns(rowId, ids, areAwaited);
    const planned = await this.plans.plan(caller, ids, calls);
    const statuses = await this.runs.countStatuses(rowId, planned);
    return {
      described: ids.map((id) => describe(id, calls, statuses)),
      hasEnded: calls.every((call) => call.hasEnded),
      trials: () => this.runs.trials(rowId, planned),
      usage: (changes) => this.runs.usage(rowId, ids, changes),
      answers: () => this.runs.answers(rowId, planned),
      labels: (truths) => this.runs.labels(project, ids, truths),
      rows: (conditions) => this.runs.rows(rowId, planned, conditions),
    };
  }

  /** See {@link ComparedRunsRepository.stateOf}. */
  stateOf(project: OwnProject, ids: readonly string[], feedbackType: string | null): Promise<string | null> {
    return this.runs.stateOf(project, ids, feedbackType);
  }

  private async findRuns(projectRowId: string, ids: readonly string[], areAwaited: boolean): Promise<RunRow[]> {
    const calls = await this.runs.findRuns(projectRowId, ids);
    const others = ids.filter((id) => !calls.some((call) => call.id === id));
    const awaited = areAwaited && others.length > 0 ? await this.runs.findPlanned(projectRowId, others) : [];
    const unknown = others.find((id) => !awaited.includes(id));
    if (unknown !== undefined) throw new ComparedRunNotFoundError(unknown);
    const below = await this.runs.countBelow(projectRowId, ids, MAX_PREDICTIONS + 1);
    if (below > MAX_PREDICTIONS) throw ComparisonTooLargeError.ofPredictions(MAX_PREDICTIONS);
    return [...calls, ...awaited.map((id) => ({ id, name: id, hasEnded: false }))];
  }
}

function describe(
  id: string,
  calls: readonly RunRow[],
  statuses: readonly StatusCounts[],
): ComparedSource['described'][number] {
  const {
    predicted = 0n,
    failed = 0n,
    missing = null,
    datasetRows = null,
  } = statuses.find(({ run }) => run === id) ?? {};
  return {
    ...{ id, name: calls.find((call) => call.id === id)?.name ?? id },
    dataset_rows: datasetRows === null ? null : Number(datasetRows),
    ...{ predicted: Number(predicted), failed: Number(failed), missing: missing === null ? null : Number(missing) },
  };
}
