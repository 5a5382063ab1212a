import { type JsonObject, withScheme } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { GatewayClient } from '../gateway/gateway-client.js';
import type { JudgedCall } from '../judged-calls/judged-call.js';
import { CallJudge } from '../kinds/call-judge.service.js';
import type { JudgeContext, Outcome } from '../kinds/scorer-kind.js';
import { GATEWAY_PATIENCE_MS, requestIdOf, toSettlement } from '../queue/attempts.js';
import type { Scorer } from '../scorers/scorer-reader.service.js';
import { CellsRepository } from './cells.repository.js';
import type { CellClaim, CellSettlement, EvaluationJob } from './evaluation-job.record.js';
import { RunCalls } from './run-calls.service.js';
import { scoreOf, valuesOf } from './score-values.js';

/** Has scorers judge answers, and settles what they find. */
@Injectable()
export class ScoresService {
  constructor(
    private readonly judge: CallJudge,
    private readonly gateway: GatewayClient,
    private readonly cells: CellsRepository,
    private readonly calls: RunCalls,
    private readonly scheme: RefScheme,
  ) {}

  /** @param claims of this scorer. @throws KeyEndedError, and nothing is settled; what the database throws */
  async score(job: EvaluationJob, scorer: Scorer, claims: readonly CellClaim[], signal: AbortSignal): Promise<void> {
    const startedAt = new Date();
    const ids = claims.map(({ answerUid }) => answerUid as string);
    const context = this.contextOf(job, scorer, claims, signal);
    const outcomes = await this.judge.judge(ids, scorer.definition, context);
    const settled = claims.map((claim, at) => this.settle(job, scorer, claim, startedAt, outcomes[at] as Outcome));
    await this.cells.settle(
      job,
      settled.map(({ settlement }) => settlement),
      settled.flatMap(({ draft }) => (draft ? [draft] : [])),
    );
  }

  private contextOf(
    job: EvaluationJob,
    scorer: Scorer,
    claims: readonly CellClaim[],
    signal: AbortSignal,
  ): JudgeContext {
    const claimOf = new Map(claims.map((claim) => [claim.answerUid, claim]));
    return {
      projectId: job.projectId,
      projectRowId: job.projectRowId,
      session: this.gateway.as(job.keyId, GATEWAY_PATIENCE_MS),
      scorerId: scorer.objectId,
      requestIdOf: ({ id }) => requestIdOf(claimOf.get(id) as CellClaim),
      ...(isCompared(job, claims) && { againstOf: ({ id }: JudgedCall) => claimOf.get(id)?.againstCall ?? null }),
      signal,
    };
  }

  private settle(job: EvaluationJob, scorer: Scorer, claim: CellClaim, startedAt: Date, outcome: Outcome) {
    const { definition } = scorer;
    const isDone = outcome.state === 'done';
    const settlement: CellSettlement = {
      ...toSettlement(claim, outcome),
      result: isDone ? { values: valuesOf(outcome, definition), costNanoUsd: outcome.costNanoUsd } : null,
    };
    // Of what a scorer has nothing to say about, an SDK would store nothing.
    if (settlement.state === 'pending' || settlement.state === 'skipped') return { settlement, draft: null };
    const draft = this.calls.score(job, claim, {
      startedAt,
      endedAt: new Date(),
      output: isDone ? { ...scoreOf(outcome, definition), ...this.comparedWith(job, claim) } : null,
      exception: isDone ? null : outcome.code,
      call: outcome.judgeCall,
      costNanoUsd: outcome.costNanoUsd,
    });
    return { settlement, draft };
  }

  /** With whose answer it was compared; nothing, if it was not. */
  private comparedWith(job: EvaluationJob, claim: CellClaim): JsonObject {
    const { baseline } = job.plan;
    if (!baseline || claim.againstCall === null || !isCompared(job, [claim])) return {};
    const against = withScheme(`${job.projectId}/call/${claim.againstCall}`, this.scheme.name);
    return { baseline: baseline.runId, against };
  }
}

/** Whether the scorer of the claims compares answers with those of the baseline. */
const isCompared = ({ plan }: EvaluationJob, claims: readonly CellClaim[]): boolean =>
  claims.some(({ scorer }) => plan.baseline?.scorers.includes(scorer));
