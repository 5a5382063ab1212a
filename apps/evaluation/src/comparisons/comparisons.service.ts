import type { Principal } from '@hone/auth';
import { PricesRepository } from '@hone/calls';
import { Prices } from '@hone/calls/prices';
import { type ComparedRunDto, type CompareQueryDto, type ComparisonDto, valueIssue } from '@hone/contracts';
import type { PlannedRun, StatusCounts } from '@hone/evaluation-results';
import { RefScheme, ValidationError } from '@hone/platform';
import { DEFAULT_LEVEL } from '@hone/statistics';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess, type OwnProject } from '../access/evaluation-access.js';
import type { ComparisonAnswer, ComparisonOrder, TrialCounts } from './assembly/comparison-order.js';
import { assertOneTruthEach, runIdsOf, sliceNamesOf } from './compared-names.js';
import { ComparedRunsRepository, type RunRow } from './compared-runs.repository.js';
import { ComparedScorers } from './compared-scorers.js';
import { ComparisonThreads } from './comparison-threads.js';
import { ComparedRunNotFoundError, ComparisonTooLargeError } from './comparisons.errors.js';
import { RunPlans } from './run-plans.js';
import { compileSlices, type SliceCondition } from './slices.sql.js';

/** Calls right below the runs: their predictions, and few others. */
const MAX_PREDICTIONS = 100_000;

/** What of a body is not in the runs. */
interface Asked {
  readonly ids: readonly string[];
  readonly slices: readonly string[];
  readonly conditions: readonly SliceCondition[];
}

/** Compares evaluation runs row by row. */
@Injectable()
export class ComparisonsService {
  constructor(
    private readonly access: EvaluationAccess,
    private readonly runs: ComparedRunsRepository,
    private readonly plans: RunPlans,
    private readonly scorers: ComparedScorers,
    private readonly prices: PricesRepository,
    private readonly threads: ComparisonThreads,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ComparedRunNotFoundError, ComparisonTooLargeError,
   *   ComparisonsBusyError
   */
  async compare(caller: Principal, body: CompareQueryDto): Promise<ComparisonDto> {
    // A bad expression is a 422 for everybody.
    const conditions = compileSlices(body.slices ?? [], this.refScheme.name);
    const slices = sliceNamesOf(body);
    assertOneTruthEach(body);
    const project = await this.access.project(caller, body.project_id, 'reader');
    const asked = { ids: runIdsOf(body), slices, conditions };
    return this.threads.run(() => this.answer(caller, project, asked, body));
  }

  private async answer(
    caller: Principal,
    project: OwnProject,
    asked: Asked,
    body: CompareQueryDto,
  ): Promise<ComparisonDto> {
    const calls = await this.findRuns(project, asked.ids);
    const planned = await this.plans.plan(caller, asked.ids, calls);
    const statuses = await this.runs.countStatuses(project.rowId, planned);
    const answer = assertCompared(await this.threads.compute(await this.read(project, planned, asked, body)));
    return {
      ...{ level: body.level ?? DEFAULT_LEVEL, seed: body.seed ?? 0, resamples: answer.resamples },
      runs: asked.ids.map((id, at) => toRun(id, calls, statuses, answer.counts[at] as TrialCounts)),
      comparisons: answer.comparisons.map((one, at) => ({ candidate: asked.ids[at + 1] as string, ...one })),
      ignored_scores: [...answer.ignoredScores],
    };
  }

  private async findRuns(project: OwnProject, ids: readonly string[]): Promise<RunRow[]> {
    const calls = await this.runs.findRuns(project.rowId, ids);
    const unknown = ids.find((id) => !calls.some((call) => call.id === id));
    if (unknown !== undefined) throw new ComparedRunNotFoundError(unknown);
    const below = await this.runs.countBelow(project.rowId, ids, MAX_PREDICTIONS + 1);
    if (below > MAX_PREDICTIONS) throw ComparisonTooLargeError.ofPredictions(MAX_PREDICTIONS);
    return calls;
  }

  private async read(
    project: OwnProject,
    planned: readonly PlannedRun[],
    { ids, slices, conditions }: Asked,
    body: CompareQueryDto,
  ): Promise<ComparisonOrder> {
    const { texts, scorers } = await this.runs.trials(project.rowId, planned);
    const prices = await this.prices.list(project.rowId);
    const truths = body.truth ?? [];
    return {
      ...{ runs: ids.length, trials: texts, prices },
      usage: await this.runs.usage(project.rowId, ids, new Prices(prices).changes()),
      labels: await this.runs.labels(project, ids, truths),
      rows: conditions.length === 0 ? [] : await this.runs.rows(project.rowId, planned, conditions),
      settings: {
        metrics: body.metrics ?? null,
        lowerIsBetter: body.lower_is_better ?? [],
        facts: body.facts ?? [],
        checks: await this.scorers.findChecks(project, scorers),
        ...{ margins: body.margins ?? {}, widths: body.widths ?? {} },
        truths: truths.map(({ metric, map }) => ({ metric, map: map ?? null })),
        baseline: ids[0] as string,
        ...{ slices, level: body.level ?? DEFAULT_LEVEL, seed: body.seed ?? 0 },
      },
    };
  }
}

type Compared = Extract<ComparisonAnswer, { comparisons: unknown }>;

function assertCompared(answer: ComparisonAnswer): Compared {
  if ('unknown' in answer) {
    const { field, index, known } = answer.unknown;
    throw new ValidationError([
      valueIssue(`There is no such metric; there are ${known.join(', ')}`, ['body', field, index]),
    ]);
  }
  if ('tooManyMetrics' in answer) throw ComparisonTooLargeError.ofMetrics(answer.tooManyMetrics);
  if ('tooMany' in answer) throw ComparisonTooLargeError.ofWork(answer.tooMany, answer.found, answer.limit);
  return answer;
}

function toRun(
  id: string,
  calls: readonly RunRow[],
  statuses: readonly StatusCounts[],
  { trials, replaced }: TrialCounts,
): ComparedRunDto {
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
    ...{ trials, replaced },
  };
}
