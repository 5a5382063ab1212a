import { Injectable } from '@nestjs/common';

import type { AnswerFailure } from '../../dispatch/answer/answer-failure.js';
import type { Exchange } from '../../http/exchange.js';
import { errorBody } from '../../shared/errors/gateway-error.js';
import { CallHeader } from '../call-header.js';
import type { ChatContext, ChatStep } from '../chat-context.js';

/** Ends a request that has no complete answer: records what it used, and answers with the failure. */
@Injectable()
export class Settle implements ChatStep {
  constructor(private readonly callHeader: CallHeader) {}

  run(chat: ChatContext): void | Promise<void> {
    const { outcome, observed } = chat;
    // The usage of a complete answer was recorded before its last bytes were sent.
    if (outcome.status === 'ok') observed.answered(outcome);
    else return this.close(chat).then(() => observed.answered(outcome));
  }

  private async close({ exchange, outcome, metered, entry }: ChatContext): Promise<void> {
    // A caller that stopped reading keeps the connection and its buffers.
    if (outcome.status === 'aborted') exchange.response.destroy();
    await metered.close(outcome);
    if (outcome.failure === null || outcome.isCommitted) return;
    exchange.refusesWith({ ...metered.headers, ...this.callHeader.of(entry) });
    sendFailure(exchange, outcome.failure);
  }
}

function sendFailure(exchange: Exchange, failure: AnswerFailure): void {
  const { status, message, detail, headers } = failure;
  exchange.send(status, errorBody(failure, detail ?? message), headers);
}
