import { AccessDeniedError, KeyStore, ProjectNotFoundError } from '@hone/auth';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess } from '../access/evaluation-access.js';
import { GatewayClient } from '../gateway/gateway-client.js';
import { KeyEndedError } from '../gateway/gateway-session.js';
import { JudgedCallsRepository } from '../judged-calls/judged-calls.repository.js';
import { ScorerKinds } from '../kinds/kinds.js';
import { type JudgeContext, type Outcome, withoutVerdict } from '../kinds/scorer-kind.js';
import type { Scorer } from '../scorers/scorer-reader.service.js';
import type { ScoringRecord } from '../scorings/scoring.record.js';
import { toFeedback } from './to-feedback.js';
import type { ClaimedVerdict, Settlement } from './verdict.record.js';
import { VerdictsRepository } from './verdicts.repository.js';

/** Milliseconds until the next try of what failed for now: five tries within ten minutes. */
const DELAYS_MS = [2_000, 10_000, 45_000, 150_000, 300_000];
/** A gateway that starts again is waited for so long; its absence is no failed try of a verdict. */
const PATIENCE_MS = 20_000;

/** Judges claimed calls, and settles them. */
@Injectable()
export class JudgeService {
  constructor(
    private readonly calls: JudgedCallsRepository,
    private readonly kinds: ScorerKinds,
    private readonly gateway: GatewayClient,
    private readonly verdicts: VerdictsRepository,
    private readonly keys: KeyStore,
    private readonly access: EvaluationAccess,
    private readonly scheme: RefScheme,
  ) {}

  /** @throws KeyEndedError, and nothing is settled; what the database throws */
  async judge(
    scoring: ScoringRecord,
    scorer: Scorer,
    claims: readonly ClaimedVerdict[],
    signal: AbortSignal,
  ): Promise<void> {
    await this.assertMayStillJudge(scoring);
    const outcomes = await this.outcomesOf(scoring, scorer, claims, signal);
    const settled = claims.map((claim, at) => this.settle(scoring, scorer, claim, outcomes[at] as Outcome));
    await this.verdicts.settle(
      scoring,
      settled.map(({ settlement }) => settlement),
      settled.flatMap(({ draft }) => (draft ? [draft] : [])),
    );
  }

  /** Settles claims that could not be judged for a fault of our own. */
  async fail(scoring: ScoringRecord, claims: readonly ClaimedVerdict[]): Promise<void> {
    const outcome = withoutVerdict('failed', 'judging_failed', { isTransient: true, isCostOpen: true });
    await this.verdicts.settle(
      scoring,
      claims.map((claim) => settlementOf(claim, outcome, null)),
      [],
    );
  }

  private async outcomesOf(
    scoring: ScoringRecord,
    scorer: Scorer,
    claims: readonly ClaimedVerdict[],
    signal: AbortSignal,
  ): Promise<Outcome[]> {
    const claimOf = new Map(claims.map((claim) => [claim.callId, claim]));
    const kind = this.kinds.of(scorer.definition.kind);
    const context: JudgeContext = {
      projectId: scoring.projectId,
      projectRowId: scoring.projectRowId,
      session: this.gateway.as(scoring.keyId, PATIENCE_MS),
      scorerId: scorer.objectId,
      requestIdOf: ({ id }) => {
        const { uid, attempt } = claimOf.get(id) as ClaimedVerdict;
        return `${uid}.${attempt}`;
      },
      signal,
    };
    const outcomes = new Map<string, Outcome>();
    for (const ids of await this.calls.inGroups(scoring.projectRowId, [...claimOf.keys()])) {
      const found = await this.calls.read(scoring.projectRowId, ids);
      for (const { id } of found) outcomes.set(id, withoutVerdict('skipped', 'missing_end'));
      const ready = found.filter(({ hasEnded }) => hasEnded);
      const judged = await kind.judge(ready, scorer.definition, context);
      ready.forEach(({ id }, at) => outcomes.set(id, judged[at] as Outcome));
    }
    return claims.map(({ callId }) => outcomes.get(callId) ?? withoutVerdict('skipped', 'missing_call'));
  }

  private settle(scoring: ScoringRecord, scorer: Scorer, claim: ClaimedVerdict, outcome: Outcome) {
    const where = { callId: claim.callId, scorerRef: scorer.ref, refScheme: this.scheme.name };
    const draft = outcome.state === 'done' ? toFeedback(scoring, where, outcome) : null;
    return { settlement: settlementOf(claim, outcome, draft?.id ?? null), draft };
  }

  /** Keys end, and people lose roles, while their scorings run. @throws KeyEndedError */
  private async assertMayStillJudge({ keyId, projectId }: ScoringRecord): Promise<void> {
    const owner = await this.keys.findById(keyId);
    if (owner === null) throw new KeyEndedError('The key of whoever had the calls judged has ended.');
    try {
      await this.access.project(owner, projectId, 'writer');
    } catch (error) {
      if (!(error instanceof AccessDeniedError || error instanceof ProjectNotFoundError)) throw error;
      throw new KeyEndedError('Whoever had the calls judged may no longer write to the project.', { cause: error });
    }
  }
}

function settlementOf(claim: ClaimedVerdict, outcome: Outcome, feedbackId: string | null): Settlement {
  const { callId, attempt, failures } = claim;
  const { state, code, costNanoUsd, isCostOpen, isTransient } = outcome;
  const delayMs = isTransient ? DELAYS_MS[failures] : undefined;
  return {
    ...{ callId, attempt, code, costNanoUsd, isCostOpen, feedbackId },
    ...{ state: delayMs === undefined ? state : 'pending', delayMs: delayMs ?? 0 },
  };
}
