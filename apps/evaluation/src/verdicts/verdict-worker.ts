import { setTimeout as sleep } from 'node:timers/promises';

import { CallSelector } from '@hone/call-queries';
import { leastRecentlyUsed } from '@hone/database';
import { DomainError, PeriodicJob, ValidationError } from '@hone/platform';
import { Injectable, Logger } from '@nestjs/common';

import { KeyEndedError } from '../gateway/gateway-session.js';
import { ScorerKinds } from '../kinds/kinds.js';
import { type Scorer, ScorerReader } from '../scorers/scorer-reader.service.js';
import type { ScoringRecord } from '../scorings/scoring.record.js';
import { ScoringsRepository } from '../scorings/scorings.repository.js';
import { JudgeService } from './judge.service.js';
import type { ClaimedVerdict } from './verdict.record.js';
import { VerdictsRepository } from './verdicts.repository.js';

const EVERY_MS = 1_000;
/** Batches that one process judges at once. */
const MAX_BATCHES = 8;
const MAX_SCORINGS = 50;
const MAX_SCORERS = 200;
const RENEW_MS = 10_000;

interface Running {
  readonly scoring: ScoringRecord;
  readonly claims: readonly ClaimedVerdict[];
}

/** Finds the verdicts that scorings wait for. Every replica of the service does; rows are claimed, so that none is found twice. */
@Injectable()
export class VerdictWorker extends PeriodicJob {
  private readonly logger = new Logger(VerdictWorker.name);
  private readonly scorers = leastRecentlyUsed<Scorer>({ max: MAX_SCORERS });
  private readonly running = new Map<Promise<void>, Running>();
  private readonly stopped = new AbortController();

  constructor(
    private readonly scorings: ScoringsRepository,
    private readonly verdicts: VerdictsRepository,
    private readonly judges: JudgeService,
    private readonly reader: ScorerReader,
    private readonly kinds: ScorerKinds,
    private readonly selector: CallSelector,
  ) {
    super(EVERY_MS);
  }

  override onApplicationShutdown(): void {
    super.onApplicationShutdown();
    this.stopped.abort();
  }

  /** Until nothing is due. */
  async run(): Promise<void> {
    const renewing = setInterval(() => void this.renewAll(), RENEW_MS);
    try {
      while (!this.isStopping) {
        // What ended while it looked for more has perhaps made more due.
        const wasIdle = this.running.size === 0;
        const started = await this.startSome();
        if (wasIdle && this.running.size === 0 && !started) break;
        // What comes meanwhile does not wait for a judge that takes long.
        if (this.running.size >= MAX_BATCHES || (!started && this.running.size > 0))
          await Promise.race([...this.running.keys(), sleep(EVERY_MS, undefined, { ref: false })]);
      }
      await Promise.all(this.running.keys());
    } finally {
      clearInterval(renewing);
    }
  }

  /** Shares free slots among open scorings, so that a large one holds up no other. @returns whether anything was started */
  private async startSome(): Promise<boolean> {
    let hasStarted = false;
    const open = this.running.size < MAX_BATCHES ? await this.scorings.due(MAX_SCORINGS) : [];
    for (const [at, scoring] of open.entries()) {
      const free = MAX_BATCHES - this.running.size;
      if (free <= 0 || this.isStopping) break;
      if (await this.advance(scoring, Math.ceil(free / (open.length - at)))) hasStarted = true;
    }
    return hasStarted;
  }

  private async advance(scoring: ScoringRecord, batches: number): Promise<boolean> {
    try {
      return scoring.isPlanned ? await this.start(scoring, batches) : await this.plan(scoring);
    } catch (error) {
      // Bad for good: its scorer is gone, its condition cannot be run.
      if (!(error instanceof DomainError || error instanceof ValidationError)) throw error;
      await this.scorings.finish(scoring.id, 'failed', error.message);
      return false;
    }
  }

  private async plan(scoring: ScoringRecord): Promise<boolean> {
    const { projectId, projectRowId, selection } = scoring;
    const { call_ids: ids, filter, query } = selection;
    const compiled = this.selector.compile({
      project_id: projectId,
      filter: ids ? { ...filter, call_ids: ids } : filter,
      query: query ?? null,
    });
    return this.scorings.plan(scoring, await this.selector.within(projectRowId, compiled, true));
  }

  private async start(scoring: ScoringRecord, batches: number): Promise<boolean> {
    const scorer = await this.scorerOf(scoring);
    const { batchSize } = this.kinds.of(scorer.definition.kind);
    const claims = await this.verdicts.claim(scoring, batches * batchSize);
    if (claims === null) await this.scorings.finish(scoring.id, 'budget_spent');
    if (claims === null || claims.length === 0) {
      await this.scorings.finishSettled(scoring.id);
      return false;
    }
    for (let at = 0; at < claims.length; at += batchSize)
      this.launch(scoring, scorer, claims.slice(at, at + batchSize));
    return true;
  }

  private launch(scoring: ScoringRecord, scorer: Scorer, claims: readonly ClaimedVerdict[]): void {
    const work = this.judges
      .judge(scoring, scorer, claims, this.stopped.signal)
      .catch((error: unknown) => this.giveUp(scoring, claims, error))
      .finally(() => this.running.delete(work));
    this.running.set(work, { scoring, claims });
  }

  /** What was claimed is claimed again: at once where the process stops in order, else as after any failure. */
  private async giveUp(scoring: ScoringRecord, claims: readonly ClaimedVerdict[], error: unknown): Promise<void> {
    try {
      if (error instanceof KeyEndedError) await this.scorings.finish(scoring.id, 'failed', error.message);
      if (error instanceof KeyEndedError || this.isStopping) return await this.verdicts.release(scoring, claims);
      this.logger.error(error, `Scoring ${scoring.id}: a batch was given up.`);
      await this.judges.fail(scoring, claims);
    } catch (unreleased) {
      this.logger.error(unreleased, `Scoring ${scoring.id}: its calls wait until their leases are over.`);
    }
  }

  private async scorerOf({ projectId, projectRowId, scorerId, scorerDigest }: ScoringRecord): Promise<Scorer> {
    const key = `${projectRowId} ${scorerId} ${scorerDigest}`;
    const known = this.scorers.get(key);
    if (known) return known;
    const scorer = await this.reader.read({ id: projectId, rowId: projectRowId }, scorerId, scorerDigest);
    this.scorers.set(key, scorer);
    return scorer;
  }

  private async renewAll(): Promise<void> {
    for (const { scoring, claims } of this.running.values())
      await this.verdicts.renew(scoring.id, claims).catch(() => undefined);
  }
}
