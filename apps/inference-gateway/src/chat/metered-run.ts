import type { Principal } from '@hone/auth';

import type { CallEntry } from '../call-log/call-entry.js';
import { checkpointNamed, type ResolvedModel } from '../catalogue/models/resolved-model.js';
import type { AnswerOutcome, AttemptRecord } from '../dispatch/answer/outcome.js';
import type { CompletionEstimates } from '../metering/limits/completion-estimates.js';
import type { Reservation } from '../metering/limits/reservation.js';
import { MeteringUnavailableError } from '../metering/recording/metering.errors.js';
import type { MeteringService } from '../metering/recording/metering.service.js';
import { toCostHeader } from '../metering/records/cost.js';
import { type AttemptUsage, FREE, type ModelPrice, type UsageRecord } from '../metering/records/usage-record.js';

const COSTS_NOTHING: Readonly<Record<string, string>> = { 'hone-cost': toCostHeader(0) };

/** The request, as far as its usage record has it. */
interface MeteredRequest {
  readonly exchange: { readonly uid: string; readonly rid: string };
  readonly caller: Principal;
  readonly parsed: { readonly dto: { readonly model: string } };
  readonly model: Pick<ResolvedModel, 'checkpoint' | 'fallbacks' | 'route'>;
  readonly request: { readonly isStream: boolean };
  /** The call that the request becomes; null: none. */
  readonly entry: CallEntry | null;
}

/** What a request is charged to, and what it costs. */
interface BookingTerms {
  /** Row id of the billed project. */
  readonly projectId: string;
  /** Of each route that may answer, by its id, in order. */
  readonly prices: ReadonlyMap<string, ModelPrice>;
  readonly reservation: Reservation;
  /** Estimate, before it is answered. */
  readonly costNanoUsd: number;
}

/** An admitted request with its reservation. Call exactly one of {@link complete}, {@link close} and {@link cancel}, last. */
export class MeteredRun {
  private readonly startedAt = new Date();
  /** What it has cost; null: it is not recorded, or not yet. */
  private cost: number | null = null;

  constructor(
    private readonly metered: MeteredRequest,
    private readonly terms: BookingTerms,
    private readonly records: MeteringService,
    private readonly estimates: CompletionEstimates,
  ) {}

  /** Row id of the billed project. */
  get projectId(): string {
    return this.terms.projectId;
  }

  /** Nano-USD that it has cost; until it is recorded, that it may cost. */
  get costNanoUsd(): number {
    return this.cost ?? this.terms.costNanoUsd;
  }

  /** Rate limit headers, lower-case. */
  get headers(): Readonly<Record<string, string>> {
    return this.terms.reservation.headers;
  }

  /**
   * Records a complete answer, before its last bytes are sent.
   *
   * @returns headers with the cost, lower-case
   * @throws MeteringUnavailableError
   */
  complete(outcome: AnswerOutcome, responseId: string): Promise<Readonly<Record<string, string>>> {
    if (outcome.usage !== null) this.estimates.observe(this.metered.parsed.dto.model, outcome.usage.completionTokens);
    return this.book(outcome, responseId);
  }

  /** Ends a request before anything was asked for it: nothing is recorded. */
  cancel(): void {
    this.terms.reservation.settle({ tokens: 0, costNanoUsd: 0 });
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
    const { reservation } = this.terms;
    return this.records.record(record, this.metered.entry).then(
      (costNanoUsd) => {
        this.cost = costNanoUsd;
        const models = record.route === null ? undefined : new Map([[record.route, costNanoUsd]]);
        reservation.settle({ tokens: record.promptTokens + record.completionTokens, costNanoUsd, models });
        return costNanoUsd === 0 ? COSTS_NOTHING : { 'hone-cost': toCostHeader(costNanoUsd) };
      },
      (error: unknown) => {
        reservation.settle({ tokens: 0, costNanoUsd: 0 });
        throw error;
      },
    );
  }

  private recordOf(outcome: AnswerOutcome, responseId: string | null): UsageRecord {
    const { exchange, caller, parsed, model, request } = this.metered;
    const usage = outcome.status === 'failed' ? null : outcome.usage;
    const last = outcome.attempts.at(-1);
    const answered = outcome.status === 'ok' ? last : undefined;
    // Another model may have answered in its place.
    const checkpoint = answered === undefined ? model.checkpoint : checkpointNamed(model, answered.answeredAs);
    const { prices } = this.terms;
    return {
      uid: exchange.uid,
      rid: exchange.rid,
      responseId,
      keyId: caller.keyId,
      userId: caller.userId,
      projectId: this.terms.projectId,
      modelAsked: parsed.dto.model,
      modelAnswered: answered?.answeredAs ?? null,
      target: answered?.target ?? null,
      route: last?.route ?? null,
      checkpointId: checkpoint?.id ?? null,
      isStream: request.isStream,
      status: outcome.status === 'failed' ? 'error' : outcome.status,
      errorCode: outcome.failure?.code ?? null,
      attempts: outcome.attempts.map(toAttemptUsage),
      promptTokens: usage?.promptTokens ?? 0,
      cachedTokens: usage?.cachedTokens ?? 0,
      cacheWriteTokens: usage?.cacheWriteTokens ?? 0,
      completionTokens: usage?.completionTokens ?? 0,
      reasoningTokens: usage?.reasoningTokens ?? 0,
      units: usage?.units ?? 0,
      source: usage?.source ?? null,
      price: prices.get(last?.route ?? model.route.id) ?? FREE,
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
