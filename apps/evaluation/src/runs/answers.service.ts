import { type JsonObject, type JsonValue, memberOf } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { GatewayClient } from '../gateway/gateway-client.js';
import { type ChatAnswer, GatewayRefusedError, GatewayUnavailableError } from '../gateway/gateway-session.js';
import { evaluationUser } from '../judged-calls/own-users.js';
import { GATEWAY_PATIENCE_MS, requestIdOf, toSettlement } from '../queue/attempts.js';
import type { Finding } from '../queue/claim.record.js';
import { CellsRepository } from './cells.repository.js';
import type { AnswerResult, CellClaim, EvaluationJob, PlannedCandidate } from './evaluation-job.record.js';
import { requestOf } from './row-request.js';
import { type CellFound, RunCalls } from './run-calls.service.js';
import { StoredRows } from './stored-rows.service.js';

interface Asked extends CellFound, Finding {
  readonly result: AnswerResult | null;
}

/** Has candidates answer rows, and settles the answers. */
@Injectable()
export class AnswersService {
  constructor(
    private readonly rows: StoredRows,
    private readonly gateway: GatewayClient,
    private readonly cells: CellsRepository,
    private readonly calls: RunCalls,
  ) {}

  /** @throws KeyEndedError, and nothing is settled; what the database throws */
  async answer(job: EvaluationJob, claim: CellClaim, signal: AbortSignal): Promise<void> {
    const row = await this.rows.find(job, claim.rowDigest);
    const found = await this.find(job, claim, row, signal);
    const settlement = { ...toSettlement(claim, found), result: found.result };
    const draft = settlement.state === 'pending' ? [] : [this.calls.prediction(job, claim, row ?? {}, found)];
    await this.cells.settle(job, [settlement], draft);
  }

  private async find(
    job: EvaluationJob,
    claim: CellClaim,
    row: JsonObject | null,
    signal: AbortSignal,
  ): Promise<Asked> {
    const startedAt = new Date();
    if (row === null) return failed(startedAt, 'missing_row', 'The row is gone, or larger than a mebibyte.');
    const candidate = job.plan.candidates[claim.candidate] as PlannedCandidate;
    const body = requestOf(candidate, row, job.seed + claim.trial);
    if ('missing' in body) {
      const { missing } = body as { missing: string };
      return failed(startedAt, `missing_${missing}`, `The row has no '${missing}'.`);
    }
    try {
      return answered(await this.ask(job, claim, candidate, body, signal));
    } catch (error) {
      if (error instanceof GatewayRefusedError)
        return { ...failed(startedAt, error.code, error.message), isCostOpen: error.mayHaveCost };
      if (!(error instanceof GatewayUnavailableError)) throw error;
      const { code, message, mayHaveCost: isCostOpen } = error;
      return { ...failed(startedAt, code, message), isTransient: true, isCostOpen };
    }
  }

  private ask(
    job: EvaluationJob,
    claim: CellClaim,
    { runId }: PlannedCandidate,
    body: JsonObject,
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    return this.gateway.as(job.keyId, GATEWAY_PATIENCE_MS).chat(body, {
      requestId: `${requestIdOf(claim)}.0`,
      projectId: job.projectId,
      threadId: `${job.id}.${claim.rowNumber}`,
      metadata: {
        user: evaluationUser(job.plan.evaluation.objectId),
        'hone.evaluation_run': runId,
        'hone.row': claim.rowDigest,
        'hone.trial': claim.trial,
      },
      signal,
    });
  }
}

function answered({ message, content, usage, costNanoUsd, call, askedAt: startedAt, latencyMs }: ChatAnswer): Asked {
  const endedAt = new Date(startedAt.getTime() + latencyMs);
  return {
    ...{ state: 'done', code: null, costNanoUsd, isCostOpen: false, isTransient: false },
    ...{ startedAt, endedAt, output: outputOf(message, content), exception: null, call },
    result: { ...usage, latencyMs, costNanoUsd },
  };
}

/** The text of an answer; of one that calls tools, the message. */
export function outputOf(message: JsonValue, content: string): JsonValue {
  const calls = memberOf(message, 'tool_calls');
  // Some servers send an empty list with each text.
  return Array.isArray(calls) && calls.length > 0 ? message : content;
}

const failed = (startedAt: Date, code: string, message: string): Asked => ({
  ...{ state: 'failed', code, costNanoUsd: 0, isCostOpen: false, isTransient: false },
  ...{ startedAt, endedAt: new Date(), output: null, exception: `${code}: ${message}`, call: null, result: null },
});
