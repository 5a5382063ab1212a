import { CallSelector } from '@hone/call-queries';
import { Injectable } from '@nestjs/common';

import { ScorerKinds } from '../kinds/kinds.js';
import type { Claim } from '../queue/claim.record.js';
import { QueueWorker } from '../queue/queue-worker.js';
import { ScorerReader } from '../scorers/scorer-reader.service.js';
import type { ScoringRecord } from '../scorings/scoring.record.js';
import { ScoringsRepository } from '../scorings/scorings.repository.js';
import { JudgeService } from './judge.service.js';
import { VerdictsRepository } from './verdicts.repository.js';

/** Batches that one process judges at once. */
const MAX_BATCHES = 8;

/** Finds the verdicts that scorings wait for. */
@Injectable()
export class VerdictWorker extends QueueWorker<ScoringRecord, Claim> {
  constructor(
    private readonly scorings: ScoringsRepository,
    private readonly verdicts: VerdictsRepository,
    private readonly judges: JudgeService,
    private readonly reader: ScorerReader,
    private readonly kinds: ScorerKinds,
    private readonly selector: CallSelector,
  ) {
    super(verdicts, MAX_BATCHES);
  }

  protected override due(limit: number): Promise<ScoringRecord[]> {
    return this.scorings.due(limit);
  }

  protected override advance(scoring: ScoringRecord, batches: number): Promise<boolean> {
    return scoring.isPlanned ? this.start(scoring, batches) : this.plan(scoring);
  }

  protected override fail(scoring: ScoringRecord, reason: string): Promise<boolean> {
    return this.scorings.finish(scoring.id, 'failed', reason);
  }

  protected override failClaims(scoring: ScoringRecord, claims: readonly Claim[]): Promise<void> {
    return this.judges.fail(scoring, claims);
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
    const { projectId: id, projectRowId: rowId, scorerId: objectId, scorerDigest: digest } = scoring;
    const scorer = await this.reader.readKnown({ id, rowId }, { objectId, digest });
    const { batchSize } = this.kinds.of(scorer.definition.kind);
    const claims = await this.verdicts.claim(scoring, batches * batchSize);
    if (claims === null) await this.scorings.finish(scoring.id, 'budget_spent');
    if (claims === null || claims.length === 0) {
      await this.scorings.finishSettled(scoring.id);
      return false;
    }
    this.launchBatches(scoring, claims, batchSize, (batch, signal) =>
      this.judges.judge(scoring, scorer, batch, signal),
    );
    return true;
  }
}
