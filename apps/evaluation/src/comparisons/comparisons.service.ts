import type { Principal } from '@hone/auth';
import { PricesRepository } from '@hone/calls';
import { Prices } from '@hone/calls/prices';
import { type CompareQueryDto, type ComparisonDto, valueIssue } from '@hone/contracts';
import { RefScheme, ValidationError } from '@hone/platform';
import { DEFAULT_LEVEL } from '@hone/statistics';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess, type OwnProject } from '../access/evaluation-access.js';
import type { ComparisonAnswer, ComparisonOrder, RowStatuses, TrialCounts } from './assembly/comparison-order.js';
import { CallSources } from './call-sources.service.js';
import { assertOneKind, assertOneTruthEach, runIdsOf, sliceNamesOf } from './compared-names.js';
import { ComparedScorers } from './compared-scorers.js';
import type { ComparedSource } from './compared-source.js';
import { ComparisonThreads } from './comparison-threads.js';
import { ComparisonTooLargeError } from './comparisons.errors.js';
import { RunSources } from './run-sources.service.js';
import { compileSlices, type SliceCondition } from './slices.sql.js';

/** The slices of a body. */
interface AskedSlices {
  readonly names: readonly string[];
  readonly conditions: readonly SliceCondition[];
}

/** Compares evaluation runs, or sets of calls, row by row. */
@Injectable()
export class ComparisonsService {
  constructor(
    private readonly access: EvaluationAccess,
    private readonly runs: RunSources,
    private readonly calls: CallSources,
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
    const slices = { names: sliceNamesOf(body), conditions: compileSlices(body.slices ?? [], this.refScheme.name) };
    assertOneTruthEach(body);
    assertOneKind(body);
    const sets = this.calls.compile(body);
    const project = await this.access.project(caller, body.project_id, 'reader');
    const ids = runIdsOf(body);
    return this.threads.run(async () => {
      const isOfRuns = ids.length > 0;
      const source = isOfRuns ? await this.runs.open(caller, project, ids) : await this.calls.open(project, sets);
      return this.answer(project, source, slices, body);
    });
  }

  private async answer(
    project: OwnProject,
    source: ComparedSource,
    slices: AskedSlices,
    body: CompareQueryDto,
  ): Promise<ComparisonDto> {
    const answer = assertCompared(await this.threads.compute(await this.read(project, source, slices, body)));
    const [, ...candidates] = source.described;
    return {
      ...{ level: body.level ?? DEFAULT_LEVEL, seed: body.seed ?? 0, resamples: answer.resamples },
      runs: source.described.map((run, at) => ({
        ...(answer.statuses[at] as RowStatuses),
        ...run,
        ...(answer.counts[at] as TrialCounts),
      })),
      comparisons: answer.comparisons.map((one, at) => ({ candidate: candidates[at]?.id as string, ...one })),
      ignored_scores: [...answer.ignoredScores],
    };
  }

  private async read(
    project: OwnProject,
    source: ComparedSource,
    { names, conditions }: AskedSlices,
    body: CompareQueryDto,
  ): Promise<ComparisonOrder> {
    const { texts, scorers } = await source.trials();
    const prices = await this.prices.list(project.rowId);
    const truths = body.truth ?? [];
    return {
      ...{ runs: source.described.length, trials: texts, prices },
      usage: await source.usage(new Prices(prices).changes()),
      labels: await source.labels(truths),
      rows: conditions.length === 0 ? [] : await source.rows(conditions),
      settings: {
        metrics: body.metrics ?? null,
        lowerIsBetter: body.lower_is_better ?? [],
        facts: body.facts ?? [],
        checks: await this.scorers.findChecks(project, scorers),
        ...{ margins: body.margins ?? {}, widths: body.widths ?? {} },
        truths: truths.map(({ metric, map }) => ({ metric, map: map ?? null })),
        baseline: source.described[0]?.id as string,
        ...{ slices: names, level: body.level ?? DEFAULT_LEVEL, seed: body.seed ?? 0 },
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
