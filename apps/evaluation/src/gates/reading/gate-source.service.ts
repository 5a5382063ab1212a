import { type Principal } from '@hone/auth';
import { PricesRepository } from '@hone/calls';
import { Prices } from '@hone/calls/prices';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../../access/evaluation-access.js';
import { CallSources } from '../../comparisons/call-sources.service.js';
import { runIdsOf, sliceNamesOf } from '../../comparisons/compared-names.js';
import { ComparedScorers } from '../../comparisons/compared-scorers.js';
import type { ComparedSource } from '../../comparisons/compared-source.js';
import { RunSources } from '../../comparisons/run-sources.service.js';
import { compileSlices } from '../../comparisons/slices.sql.js';
import { guardedScores } from '../settings/gate-rules-of.js';
import type { GateSettings } from '../settings/gate-settings.js';
import { GateThreads } from './gate-threads.js';
import type { ReadPairs } from './read-pairs.js';

export interface GateEvidence extends ReadPairs {
  /** Whether the metric is nobody's opinion in both runs. */
  readonly isFact: boolean;
  /** Whether no pair comes any more. */
  readonly hasEnded: boolean;
}

/** Reads what a gate decides by: the same as comparisons. */
@Injectable()
export class GateSource {
  constructor(
    private readonly runs: RunSources,
    private readonly calls: CallSources,
    private readonly scorers: ComparedScorers,
    private readonly prices: PricesRepository,
    private readonly threads: GateThreads,
    private readonly refScheme: RefScheme,
  ) {}

  /** @throws ComparedRunNotFoundError, ComparisonTooLargeError, ValidationError */
  open(caller: Principal, project: OwnProject, settings: GateSettings): Promise<ComparedSource> {
    const ids = runIdsOf(settings);
    return ids.length > 0
      ? this.runs.open(caller, project, ids, { areAwaited: true })
      : this.calls.open(project, this.calls.compile(settings));
  }

  /** A text that differs once there is something new to read. Null: nobody can tell. */
  async stateOf(project: OwnProject, settings: GateSettings): Promise<string | null> {
    const ids = runIdsOf(settings);
    return ids.length > 0 ? this.runs.stateOf(project, ids, settings.truth?.feedback_type ?? null) : null;
  }

  /** @param known digests of the pairs that count already. @throws ComparisonTooLargeError */
  async read(
    project: OwnProject,
    source: ComparedSource,
    settings: GateSettings,
    known: readonly string[],
  ): Promise<GateEvidence> {
    const { texts, scorers } = await source.trials();
    const checks = await this.scorers.findChecks(project, scorers);
    const isFact = (settings.fact ?? false) || checks.some((check) => isWithin(settings.metric, check));
    const read = await this.threads.read({
      compared: await this.order(project, source, settings, texts),
      answers: await source.answers(),
      ...{ metric: settings.metric, scale: settings.scale as [number, number], trials: settings.trials },
      ...{ lowerIsBetter: settings.lower_is_better ?? false, guarded: guardedScores(settings), known },
      reward: settings.reward?.metric ?? null,
    });
    return { ...read, isFact, hasEnded: source.hasEnded };
  }

  private async order(project: OwnProject, source: ComparedSource, settings: GateSettings, trials: readonly string[]) {
    const { truth, metric, reward } = settings;
    const scale = settings.scale as [number, number];
    const prices = await this.prices.list(project.rowId);
    const conditions = compileSlices(settings.slices ?? [], this.refScheme.name);
    return {
      ...{ runs: source.described.length, trials, prices },
      usage: await source.usage(new Prices(prices).changes()),
      labels: truth ? await source.labels([truth]) : [],
      rows: conditions.length === 0 ? [] : await source.rows(conditions),
      settings: {
        metrics: [metric, ...guardedScores(settings), ...(reward ? [reward.metric] : [])],
        ...{ lowerIsBetter: [], facts: [], checks: [], margins: {}, widths: {}, level: 1 - settings.alpha, seed: 0 },
        truths: truth ? [{ metric, map: truth.map ?? null, scale }] : [],
        ...{ baseline: source.described[0]?.id as string, slices: sliceNamesOf(settings) },
      },
    };
  }
}

/** Checks are named by their score, metrics by what is within it. */
const isWithin = (metric: string, score: string): boolean => metric === score || metric.startsWith(`${score}.`);
