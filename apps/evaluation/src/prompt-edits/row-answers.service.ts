import type { JsonObject } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { GatewayClient } from '../gateway/gateway-client.js';
import { GatewayRefusedError, GatewayUnavailableError } from '../gateway/gateway-session.js';
import { evaluationUser } from '../judged-calls/own-users.js';
import { GATEWAY_PATIENCE_MS, requestIdOf, toSettlement } from '../queue/attempts.js';
import type { Finding } from '../queue/claim.record.js';
import { outputOf } from '../runs/answers.service.js';
import { StoredRows } from '../runs/stored-rows.service.js';
import { EditItemsRepository } from './edit-items.repository.js';
import { filledRequest } from './editing/filled-request.js';
import type { AnswerFound, EditFound, EditItemClaim, PromptEditJob } from './prompt-edit.record.js';

interface Asked extends Finding {
  readonly result: AnswerFound | null;
}

/** Has rows answered with prompts that are not stored, and settles the answers. */
@Injectable()
export class RowAnswers {
  constructor(
    private readonly rows: StoredRows,
    private readonly gateway: GatewayClient,
    private readonly items: EditItemsRepository,
  ) {}

  /** @throws KeyEndedError, and nothing is settled; what the database throws */
  async answer(job: PromptEditJob, claim: EditItemClaim, signal: AbortSignal): Promise<void> {
    const found = await this.find(job, claim, signal);
    await this.items.settle(job, [{ ...toSettlement(claim, found), score: null, result: found.result }]);
  }

  private async find(job: PromptEditJob, claim: EditItemClaim, signal: AbortSignal): Promise<Asked> {
    const row = await this.rows.find(job, claim.rowDigest);
    if (row === null) return failed('missing_row');
    const body = filledRequest(job.plan, await this.messagesOf(job, claim.candidate), row, job.seed);
    if ('isTooLarge' in body) return failed('prompt_too_large');
    if (!('messages' in body)) return failed(`missing_${String(body['missing'])}`);
    try {
      const { message, content, costNanoUsd, latencyMs } = await this.ask(job, claim, body, signal);
      return {
        ...failed(null),
        state: 'done',
        costNanoUsd,
        result: { output: outputOf(message, content), latencyMs, costNanoUsd },
      };
    } catch (error) {
      const isRefused = error instanceof GatewayRefusedError;
      if (!isRefused && !(error instanceof GatewayUnavailableError)) throw error;
      return { ...failed(error.code), isTransient: !isRefused, isCostOpen: error.mayHaveCost };
    }
  }

  private ask(job: PromptEditJob, claim: EditItemClaim, body: JsonObject, signal: AbortSignal) {
    return this.gateway.as(job.keyId, GATEWAY_PATIENCE_MS).chat(body, {
      requestId: `${requestIdOf(claim)}.0`,
      projectId: job.projectId,
      threadId: `${job.id}.${claim.rowDigest}`,
      metadata: {
        user: evaluationUser(job.plan.prompt.objectId),
        'hone.prompt_edit': job.id,
        'hone.candidate': claim.candidate,
        'hone.row': claim.rowDigest,
      },
      signal,
    });
  }

  private async messagesOf(job: PromptEditJob, candidate: number): Promise<JsonObject[]> {
    if (candidate === 0) return job.plan.messages;
    const edit = (await this.items.resultsOf<EditFound>(job, candidate, '')).get(0);
    return edit?.messages as JsonObject[];
  }
}

const failed = (code: string | null): Asked => ({
  ...{ state: 'failed', code, costNanoUsd: 0, isCostOpen: false, isTransient: false, result: null },
});
