import { Injectable } from '@nestjs/common';

import { step } from '../../shared/step.js';
import type { ChatContext, ChatStep } from '../chat-context.js';

/** Reads the chat completion that the body asks for. @throws InvalidRequestError */
@Injectable()
export class Validate implements ChatStep {
  run(chat: ChatContext): void | Promise<void> {
    const { exchange, door, body, settings, caller, project } = chat;
    return step(door.read(body, settings.limits, caller.attributes.minPriority, project), (parsed) => {
      chat.parsed = parsed;
      exchange.offerId(parsed.dto.request_id);
    });
  }
}
