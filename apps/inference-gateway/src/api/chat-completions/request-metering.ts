import type { Principal, ProjectGrant } from '@hone/auth';
import { Injectable } from '@nestjs/common';

import type { CallEntry } from '../../call-log/call-entry.js';
import type { PinnedCheckpoint } from '../../catalogue/models/resolved-model.js';
import type { AnswerOutcome, AttemptRecord } from '../../dispatch/outcome.js';
import type { Price } from '../../dispatch/route.js';
import { CompletionEstimates } from '../../metering/limits/completion-estimates.js';
import type { Reservation } from '../../metering/limits/reservation.js';
import { UsageLimiter } from '../../metering/limits/usage-limiter.js';
import { UsageProjects } from '../../metering/projects/usage-projects.service.js';
import { MeteringUnavailableError } from '../../metering/recording/metering.errors.js';
import { MeteringService } from '../../metering/recording/metering.service.js';
import { costOf, toCostHeader, toModelPrice } from '../../metering/records/cost.js';
import {
  type AttemptUsage,
  FREE,
  type ModelPrice,
  NO_TOKENS,
  type UsageRecord,
} from '../../metering/records/usage-record.js';

/** Facts of a request when it is admitted. */
export interface MeteredRequest {
  /** Idempotency key of the usage record: minted by the gateway, never chosen by a caller. */
  readonly uid: string;
  readonly rid: string;
  readonly principal: Principal;
  /** The billed project. */
  readonly project: ProjectGrant;
  readonly modelAsked: string;
  /** Of a trained model; null: it is none. */
  readonly checkpoint: PinnedCheckpoint | null;
  readonly isStream: boolean;
  /** Estimate of the prompt's tokens. */
  readonly promptTokens: number;
  /** Token limit of the answer; null: the caller set none. */
  readonly maxTokens: number | null;
  readonly price: Price | null;
  /** The call that the request becomes; null: none. */
  readonly entry: CallEntry | null;
}

/** Meters each request: finds the billed project, reserves limits first, and journals usage before the last byte. */
@Injectable()
export class RequestMetering {
  constructor(
    private readonly projects: UsageProjects,
    private readonly limiter: UsageLimiter,
    private readonly estimates: CompletionEstimates,
    private readonly records: MeteringService,
  ) {}

  /**
   * Returns the project that is billed for a caller's requests.
   *
   * @param header names the project; undefined: the key's own project
   * @throws GatewayError 403
   */
  authorize(caller: Principal, header: string | undefined): Promise<ProjectGrant> {
    return this.projects.authorize(caller, header);
  }

  /** The cached result of {@link authorize}; undefined: not cached. */
  recall(caller: Principal, header: string | undefined): ProjectGrant | undefined {
    return this.projects.recall(caller, header);
  }

  /** Current `x-ratelimit-*` headers; empty when no limits of the key or the project are known. */
  limitHeaders(principal: Principal, { rowId }: ProjectGrant): Readonly<Record<string, string>> {
    return this.limiter.headers(principal.keyId, rowId ?? '');
  }

  /** What a request that names no project is booked to, see {@link UsageProjects.ofModel}. */
  ofModel(caller: Principal, projectId: string, own: ProjectGrant): ProjectGrant | Promise<ProjectGrant> {
    return this.projects.ofModel(caller, projectId, own);
  }

  /** Reserves rate limits and budget; synchronous while grants suffice. @throws GatewayError 402, 429, 503 */
  admit(request: MeteredRequest): MeteredRun | Promise<MeteredRun> {
    this.records.assertAvailable();
    const { rowId } = request.project;
    if (rowId === null) return this.admitToNew(request);
    const price = request.price === null ? FREE : toModelPrice(request.price);
    const completionTokens = this.estimates.estimate(request.modelAsked, request.maxTokens);
    const expected = { ...NO_TOKENS, promptTokens: request.promptTokens, completionTokens };
    const reserved = this.limiter.reserve({
      keyId: request.principal.keyId,
      projectId: rowId,
      tokens: request.promptTokens + completionTokens,
      costNanoUsd: costOf(expected, price),
    });
    const book = (reservation: Reservation) =>
      new MeteredRun(request, rowId, price, reservation, this.records, this.estimates);
    return reserved instanceof Promise ? reserved.then(book) : book(reserved);
  }

  private async admitToNew(request: MeteredRequest): Promise<MeteredRun> {
    const rowId = await this.projects.rowIdFor(request.principal, request.project);
    return this.admit({ ...request, project: { ...request.project, rowId } });
  }
}

const COSTS_NOTHING: Readonly<Record<string, string>> = { 'hone-cost': toCostHeader(0) };

/** An admitted request with its reservation. Call exactly one of {@link complete} and {@link close}, last. */
export class MeteredRun {
  private readonly startedAt = new Date();

  constructor(
    private readonly request: MeteredRequest,
    private readonly projectId: string,
    private readonly price: ModelPrice,
    private readonly reservation: Reservation,
    private readonly records: MeteringService,
    private readonly estimates: CompletionEstimates,
  ) {}

  /** Rate limit headers, lower-case. */
  get headers(): Readonly<Record<string, string>> {
    return this.reservation.headers;
  }

  /**
   * Records a complete answer, before its last bytes are sent.
   *
   * @returns headers with the cost, lower-case
   * @throws MeteringUnavailableError
   */
  complete(outcome: AnswerOutcome, responseId: string): Promise<Readonly<Record<string, string>>> {
    if (outcome.usage !== null) this.estimates.observe(this.request.modelAsked, outcome.usage.completionTokens);
    return this.book(outcome, responseId);
  }

  /** Records a request that ended without a complete answer. */
  async close(outcome: AnswerOutcome): Promise<void> {
    try {
      await this.book(outcome, null);
    } catch (error) {
      // No answer waits for the record; a metric counts the lost record.
      if (!(error instanceof MeteringUnavailableError)) throw error;
    }
  }

  private book(outcome: AnswerOutcome, responseId: string | null): Promise<Readonly<Record<string, string>>> {
    const record = this.recordOf(outcome, responseId);
    return this.records.record(record, this.request.entry).then(
      (costNanoUsd) => {
        this.reservation.settle({ tokens: record.promptTokens + record.completionTokens, costNanoUsd });
        return costNanoUsd === 0 ? COSTS_NOTHING : { 'hone-cost': toCostHeader(costNanoUsd) };
      },
      (error: unknown) => {
        this.reservation.settle({ tokens: 0, costNanoUsd: 0 });
        throw error;
      },
    );
  }

  private recordOf(outcome: AnswerOutcome, responseId: string | null): UsageRecord {
    const { uid, rid, principal, modelAsked, checkpoint, isStream } = this.request;
    const usage = outcome.status === 'failed' ? null : outcome.usage;
    const answered = outcome.status === 'ok' ? outcome.attempts.at(-1) : undefined;
    // Another model may have answered in its place.
    const isOther = answered !== undefined && answered.answeredAs !== checkpoint?.name;
    return {
      uid,
      rid,
      responseId,
      keyId: principal.keyId,
      userId: principal.userId,
      projectId: this.projectId,
      modelAsked,
      modelAnswered: answered?.answeredAs ?? null,
      target: answered?.target ?? null,
      checkpointId: isOther ? null : (checkpoint?.id ?? null),
      isStream,
      status: outcome.status === 'failed' ? 'error' : outcome.status,
      errorCode: outcome.failure?.code ?? null,
      attempts: outcome.attempts.map(toAttemptUsage),
      promptTokens: usage?.promptTokens ?? 0,
      cachedTokens: usage?.cachedTokens ?? 0,
      cacheWriteTokens: usage?.cacheWriteTokens ?? 0,
      completionTokens: usage?.completionTokens ?? 0,
      reasoningTokens: usage?.reasoningTokens ?? 0,
      source: usage?.source ?? null,
      price: this.price,
      startedAt: this.startedAt,
      ttftMs: outcome.ttftMs,
      durationMs: outcome.durationMs,
    };
  }
}

function toAttemptUsage(attempt: AttemptRecord): AttemptUsage {
  return {
    target: attempt.target,
    outcome: attempt.outcome,
    ms: attempt.durationMs,
    promptTokens: attempt.usage?.promptTokens,
    completionTokens: attempt.usage?.completionTokens,
  };
}
