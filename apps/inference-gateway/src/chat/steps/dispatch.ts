import { Injectable } from '@nestjs/common';

import { answerRequest } from '../../dispatch/request-run.js';
import type { StreamGuard } from '../../dispatch/route/route.js';
import type { ChatContext, ChatStep } from '../chat-context.js';
import { ReplySink } from '../reply-sink.js';

/** Asks the targets of the model until one has answered; its answer goes to the caller as it comes. */
@Injectable()
export class Dispatch implements ChatStep {
  async run(chat: ChatContext): Promise<void> {
    const { exchange, door, parsed, request, model, metered, entry, callHeader, observer } = chat;
    const headers = Object.assign(exchange.headers, metered.headers, callHeader);
    const reply = new ReplySink(
      exchange.response,
      headers,
      (outcome) => metered.complete(outcome, `${door.idPrefix}${exchange.rid}`),
      entry,
    );
    chat.outcome = await answerRequest(
      {
        request,
        route: model.route,
        guard: guardOf(chat),
        priority: (request.fields.priority as number | null | undefined) ?? 0,
        signal: exchange.signal,
        observer,
      },
      parsed.toSink?.(reply, { rid: exchange.rid, isKept: entry?.keepsContent === true }) ?? reply,
    );
  }
}

/** A caller may request a stricter guard than the route's, never a weaker one. */
const guardOf = ({ exchange, model }: ChatContext): StreamGuard =>
  exchange.header('hone-stream-guard') === 'buffered' ? 'buffered' : model.route.streamGuard;
