import { toUsd } from '@hone/calls';
import type { JsonObject } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { GatewayClient } from '../gateway/gateway-client.js';
import { scoreOf } from '../grading/reward.js';
import type { JudgedCall } from '../judged-calls/judged-call.js';
import { ScorerKinds } from '../kinds/kinds.js';
import type { Outcome } from '../kinds/scorer-kind.js';
import { GATEWAY_PATIENCE_MS, requestIdOf, toSettlement } from '../queue/attempts.js';
import { valuesOf } from '../runs/score-values.js';
import { StoredRows } from '../runs/stored-rows.service.js';
import type { Scorer } from '../scorers/scorer-reader.service.js';
import { EditItemsRepository } from './edit-items.repository.js';
import type { AnswerFound, EditItemClaim, EditItemSettlement, PromptEditJob } from './prompt-edit.record.js';

/** Has scorers judge answers that no call of the project has, and settles what they find. */
@Injectable()
export class RowScores {
  constructor(
    private readonly rows: StoredRows,
    private readonly kinds: ScorerKinds,
    private readonly gateway: GatewayClient,
    private readonly items: EditItemsRepository,
  ) {}

  /** @param claims of this scorer. @throws KeyEndedError, and nothing is settled; what the database throws */
  async score(
    job: PromptEditJob,
    scorer: Scorer,
    claims: readonly EditItemClaim[],
    signal: AbortSignal,
  ): Promise<void> {
    const { projectId, projectRowId, keyId } = job;
    const claimOf = new Map(claims.map((claim) => [claim.uid, claim]));
    const calls: JudgedCall[] = [];
    for (const claim of claims) calls.push(await this.callOf(job, claim));
    const outcomes = await this.kinds.of(scorer.definition.kind).judge(calls, scorer.definition, {
      ...{ projectId, projectRowId, scorerId: scorer.objectId, signal },
      session: this.gateway.as(keyId, GATEWAY_PATIENCE_MS),
      requestIdOf: ({ id }) => requestIdOf(claimOf.get(id) as EditItemClaim),
    });
    await this.items.settle(
      job,
      claims.map((claim, at) => settlementOf(job, scorer, claim, outcomes[at] as Outcome)),
    );
  }

  /** As the call of an evaluation on the server would be. */
  private async callOf(job: PromptEditJob, { uid, candidate, rowDigest }: EditItemClaim): Promise<JudgedCall> {
    const row = await this.rows.find(job, rowDigest);
    const answer = (await this.items.resultsOf<AnswerFound>(job, candidate, rowDigest)).get(0);
    const attributes: JsonObject = { evaluation: { cost_usd: toUsd(answer?.costNanoUsd ?? 0) } };
    const values = answer ? { attributes, inputs: row, output: answer.output } : null;
    return { id: uid, hasEnded: true, latencyMs: answer?.latencyMs ?? null, values };
  }
}

function settlementOf(
  { plan }: PromptEditJob,
  scorer: Scorer,
  claim: EditItemClaim,
  outcome: Outcome,
): EditItemSettlement {
  const isDone = outcome.state === 'done';
  const { metric } = plan;
  // In its own unit: the job has a scale of its own.
  const score = claim.scorer === metric.scorer ? scoreOf(outcome, { ...metric, scale: null }) : null;
  const isMissing = isDone && score === null && claim.scorer === metric.scorer;
  return {
    ...toSettlement(claim, isMissing ? { ...outcome, state: 'skipped', code: `missing_${metric.name}` } : outcome),
    score,
    result: isDone ? { values: valuesOf(outcome, scorer.definition), reason: outcome.reason } : null,
  };
}
