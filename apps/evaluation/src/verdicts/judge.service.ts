import type { FeedbackDraft } from '@hone/feedback';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { GatewayClient } from '../gateway/gateway-client.js';
import { probed } from '../judged-calls/answer-probes.js';
import type { JudgedCall } from '../judged-calls/judged-call.js';
import { CallJudge } from '../kinds/call-judge.service.js';
import { type JudgeContext, type Outcome, withoutVerdict } from '../kinds/scorer-kind.js';
import { GATEWAY_PATIENCE_MS, requestIdOf, toSettlement } from '../queue/attempts.js';
import type { Claim } from '../queue/claim.record.js';
import { JobRights } from '../queue/job-rights.service.js';
import type { Scorer } from '../scorers/scorer-reader.service.js';
import type { ScoringRecord } from '../scorings/scoring.record.js';
import { toFeedback } from './to-feedback.js';
import type { FoundByProbe, VerdictSettlement } from './verdict.record.js';
import { VerdictsRepository } from './verdicts.repository.js';

/** Judges claimed calls, and settles them. */
@Injectable()
export class JudgeService {
  constructor(
    private readonly calls: CallJudge,
    private readonly gateway: GatewayClient,
    private readonly verdicts: VerdictsRepository,
    private readonly rights: JobRights,
    private readonly scheme: RefScheme,
  ) {}

  /** @throws KeyEndedError, and nothing is settled; what the database throws */
  async judge(scoring: ScoringRecord, scorer: Scorer, claims: readonly Claim[], signal: AbortSignal): Promise<void> {
    await this.rights.assertMayGoOn(scoring);
    const ids = claims.map(({ id }) => id);
    const context = this.contextOf(scoring, scorer, claims, signal);
    const { probe } = scoring;
    const change = probe === null ? undefined : (call: JudgedCall) => probed(call, probe);
    const outcomes = await this.calls.judge(ids, scorer.definition, context, change);
    const settled = claims.map((claim, at) => this.settle(scoring, scorer, claim, outcomes[at] as Outcome));
    await this.verdicts.settle(
      scoring,
      settled.map(({ settlement }) => settlement),
      settled.flatMap(({ draft }) => (draft ? [draft] : [])),
    );
  }

  /** Settles claims that could not be judged for a fault of our own. */
  async fail(scoring: ScoringRecord, claims: readonly Claim[]): Promise<void> {
    const outcome = withoutVerdict('failed', 'judging_failed', { isTransient: true, isCostOpen: true });
    const settlements = claims.map((claim) => ({ ...toSettlement(claim, outcome), feedbackId: null, found: null }));
    await this.verdicts.settle(scoring, settlements, []);
  }

  private contextOf(
    scoring: ScoringRecord,
    scorer: Scorer,
    claims: readonly Claim[],
    signal: AbortSignal,
  ): JudgeContext {
    const claimOf = new Map(claims.map((claim) => [claim.id, claim]));
    return {
      projectId: scoring.projectId,
      projectRowId: scoring.projectRowId,
      session: this.gateway.as(scoring.keyId, GATEWAY_PATIENCE_MS),
      scorerId: scorer.objectId,
      requestIdOf: ({ id }) => requestIdOf(claimOf.get(id) as Claim),
      signal,
    };
  }

  private settle(
    scoring: ScoringRecord,
    scorer: Scorer,
    claim: Claim,
    outcome: Outcome,
  ): { settlement: VerdictSettlement; draft: FeedbackDraft | null } {
    const where = { callId: claim.id, scorerRef: scorer.ref, refScheme: this.scheme.name };
    const isFound = outcome.state === 'done';
    const isProbe = scoring.probe !== null;
    const draft = isFound && !isProbe ? toFeedback(scoring, where, outcome) : null;
    const found = isFound && isProbe ? toFound(outcome) : null;
    return { settlement: { ...toSettlement(claim, outcome), feedbackId: draft?.id ?? null, found }, draft };
  }
}

/** What is kept of a probe: nobody gave the answer, so that its verdict is no feedback. */
const toFound = ({ ratings, tags }: Outcome): FoundByProbe => ({
  ratings: Object.fromEntries(ratings.map(({ name, value }) => [name, value])),
  tags,
});
