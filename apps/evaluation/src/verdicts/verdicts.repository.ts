import { IS_SHOWN } from '@hone/call-queries';
import { Database, Prisma } from '@hone/database';
import { type FeedbackDraft, FeedbackWriteRepository } from '@hone/feedback';
import { Injectable } from '@nestjs/common';

import type { Claim } from '../queue/claim.record.js';
import { LeasedItemsRepository } from '../queue/leased-items.repository.js';
import type { ScoringRecord } from '../scorings/scoring.record.js';
import { EvaluationMetrics } from '../telemetry/evaluation-metrics.js';
import type { VerdictSettlement } from './verdict.record.js';

/** Verdicts that scorings wait for: their ids are those of their calls, of which a scoring has one verdict each. */
@Injectable()
export class VerdictsRepository extends LeasedItemsRepository<Claim> {
  constructor(
    database: Database,
    private readonly feedback: FeedbackWriteRepository,
    metrics: EvaluationMetrics,
  ) {
    const tables = {
      jobs: Prisma.sql`scorings`,
      kind: 'verdicts',
      items: Prisma.sql`verdicts`,
      job: Prisma.sql`scoring_id`,
      id: Prisma.sql`call_id`,
      sent: Prisma.sql`, "feedbackId" text, found jsonb`,
      assigned: Prisma.sql`, feedback_id = sent."feedbackId", found = sent.found`,
    };
    super(database, tables, metrics);
  }

  /**
   * Settles claims, and stores their feedback, in one transaction. Of a call that was deleted meanwhile nothing is stored:
   * its feedback has perhaps been erased already.
   */
  async settle(
    scoring: ScoringRecord,
    settlements: readonly VerdictSettlement[],
    drafts: readonly FeedbackDraft[],
  ): Promise<void> {
    await this.database.transaction(async () => {
      const settled = await this.settleClaims(scoring, settlements);
      const judged = settlements.filter(({ id, feedbackId }) => feedbackId !== null && settled.has(id));
      const shown = judged.length > 0 ? await this.shown(scoring, judged) : new Set();
      const kept = drafts.filter(({ id }) => judged.some((one) => one.feedbackId === id && shown.has(one.id)));
      if (kept.length > 0) await this.feedback.insert(kept);
    });
  }

  /** Ids of the calls that are still there. */
  private async shown({ projectRowId }: ScoringRecord, verdicts: readonly VerdictSettlement[]): Promise<Set<string>> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT c.id FROM calls c
      WHERE c.project_id = ${projectRowId}::uuid AND c.id = ANY(${verdicts.map(({ id }) => id)}) AND ${IS_SHOWN}`;
    return new Set(rows.map(({ id }) => id));
  }
}
