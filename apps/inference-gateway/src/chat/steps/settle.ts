import { Injectable } from '@nestjs/common';

import type { AnswerFailure } from '../../dispatch/answer/answer-failure.js';
import type { Exchange } from '../../http/exchange.js';
import { errorBody } from '../../shared/errors/gateway-error.js';
import type { ChatContext, ChatStep } from '../chat-context.js';
import { armHeader } from '../splits/drawn-arm.js';

/** Ends a request that has no complete answer: records what it used, and answers with the failure. */
@Injectable()
export class Settle implements ChatStep {
  run(chat: ChatContext): void | Promise<void> {
    // The usage of a complete answer was recorded before its last bytes were sent.
    if (chat.outcome.status !== 'ok') return this.close(chat);
  }

  private async close({ exchange, outcome, metered, callHeader, drawn }: ChatContext): Promise<void> {
    // A caller that stopped reading keeps the connection and its buffers.
    if (outcome.status === 'aborted') exchange.response.destroy();
    await metered.close(outcome);
    if (outcome.failure === null || outcome.isCommitted) return;
    exchange.refusesWith({ ...metered.headers, ...callHeader, ...armHeader(drawn) });
    sendFailure(exchange, outcome.failure);
  }
}

function sendFailure(exchange: Exchange, failure: AnswerFailure): void {
  const { status, message, detail, headers } = failure;
  exchange.sendError(status, errorBody(failure, detail ?? message), headers);
}
