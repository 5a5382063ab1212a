import { Injectable } from '@nestjs/common';

import { step } from '../../shared/step.js';
import { readFallbacks } from '../body/fallback-models.js';
import type { ChatContext, ChatStep } from '../chat-context.js';

/** Reads the chat completion that the body asks for, and the models that may answer it. @throws InvalidRequestError, InvalidHeaderError */
@Injectable()
export class Validate implements ChatStep {
  run(chat: ChatContext): void | Promise<void> {
    const { exchange, door, body, settings, caller, project } = chat;
    return step(door.read(body, settings.limits, caller.attributes.minPriority, project), (parsed) => {
      chat.parsed = parsed;
      chat.fallbacks = readFallbacks(parsed.fields, exchange.header('hone-fallback'));
      exchange.offerId(parsed.dto.request_id);
    });
  }
}
