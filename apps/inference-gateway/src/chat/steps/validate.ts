import { Injectable } from '@nestjs/common';

import type { ChatContext, ChatStep } from '../chat-context.js';

/** Reads the chat completion that the body asks for. @throws InvalidRequestError */
@Injectable()
export class Validate implements ChatStep {
  run(chat: ChatContext): void {
    const { exchange, door, body, settings, caller } = chat;
    chat.parsed = door.read(body, settings.limits, caller.attributes.minPriority);
    exchange.offerId(chat.parsed.dto.request_id);
  }
}
