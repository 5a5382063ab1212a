import type { Principal, ProjectGrant } from '@hone/auth';
import { Injectable } from '@nestjs/common';

import type { AnswerOutcome, AttemptRecord } from '../routing/answer-sink.js';
import { costOf, toCostHeader, toModelPrice } from '../usage/cost.js';
import { CompletionEstimates } from '../usage/limits/completion-estimates.js';
import type { Reservation } from '../usage/limits/reservation.js';
import { UsageLimiter } from '../usage/limits/usage-limiter.js';
import { MeteringUnavailableError } from '../usage/metering.errors.js';
import { MeteringService } from '../usage/metering.service.js';
import { UsageProjects } from '../usage/projects/usage-projects.service.js';
import { type AttemptUsage, FREE, type ModelPrice, NO_TOKENS, type UsageRecord } from '../usage/usage-record.js';
import type { Metering, MeteredRequest, MeteredRun } from './metering.js';

/** Books each request: a project pays, limits are reserved before, and the journal has it before the caller has. */
@Injectable()
export class RequestMetering implements Metering {
  constructor(
    private readonly projects: UsageProjects,
    private readonly limiter: UsageLimiter,
    private readonly estimates: CompletionEstimates,
    private readonly records: MeteringService,
  ) {}

  authorize(caller: Principal, header: string | undefined): Promise<ProjectGrant> {
    return this.projects.authorize(caller, header);
  }

  recall(caller: Principal, header: string | undefined): ProjectGrant | undefined {
    return this.projects.recall(caller, header);
  }

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
      new BookedRun(request, rowId, price, reservation, this.records, this.estimates);
    return reserved instanceof Promise ? reserved.then(book) : book(reserved);
  }

  private async admitToNew(request: MeteredRequest): Promise<MeteredRun> {
    const rowId = await this.projects.rowIdFor(request.principal, request.project);
    return this.admit({ ...request, project: { ...request.project, rowId } });
  }
}

const COSTS_NOTHING: Readonly<Record<string, string>> = { 'hone-cost': toCostHeader(0) };

/** A request that runs, with what it holds. */
class BookedRun implements MeteredRun {
  private readonly startedAt = new Date();

  constructor(
    private readonly request: MeteredRequest,
    private readonly projectId: string,
    private readonly price: ModelPrice,
    private readonly reservation: Reservation,
    private readonly records: MeteringService,
    private readonly estimates: CompletionEstimates,
  ) {}

  get headers(): Readonly<Record<string, string>> {
    return this.reservation.headers;
  }

  complete(outcome: AnswerOutcome, responseId: string): Promise<Readonly<Record<string, string>>> {
    if (outcome.usage !== null) this.estimates.observe(this.request.modelAsked, outcome.usage.completionTokens);
    return this.book(outcome, responseId);
  }

  async close(outcome: AnswerOutcome): Promise<void> {
    try {
      await this.book(outcome, null);
    } catch (error) {
      // There is no answer to hold back; that nothing was recorded shows in the metrics.
      if (!(error instanceof MeteringUnavailableError)) throw error;
    }
  }

  /** @returns headers that tell what it cost */
  private book(outcome: AnswerOutcome, responseId: string | null): Promise<Readonly<Record<string, string>>> {
    const record = this.recordOf(outcome, responseId);
    return this.records.record(record).then(
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
    const { uid, rid, principal, modelAsked, checkpointId, isStream } = this.request;
    const usage = outcome.status === 'failed' ? null : outcome.usage;
    const answered = outcome.status === 'ok' ? outcome.attempts.at(-1) : undefined;
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
      checkpointId,
      isStream,
      status: outcome.status === 'failed' ? 'error' : outcome.status,
      errorCode: outcome.failure?.code ?? null,
      attempts: outcome.attempts.map(toAttemptUsage),
      promptTokens: usage?.promptTokens ?? 0,
      cachedTokens: usage?.cachedTokens ?? 0,
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
