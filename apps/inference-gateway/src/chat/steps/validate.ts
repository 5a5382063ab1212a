import { Injectable } from '@nestjs/common';

import { step } from '../../shared/step.js';
import { readFallbacks } from '../body/fallback-models.js';
import type { ChatContext, ChatStep } from '../chat-context.js';
import { Prompts } from '../prompts/prompts.service.js';

/**
 * Reads the chat completion that the body asks for, with the prompt object that it names, and the models that may answer it.
 *
 * @throws InvalidRequestError, InvalidHeaderError, PromptNotFoundError, BodyOverLimitError
 */
@Injectable()
export class Validate implements ChatStep {
  constructor(private readonly prompts: Prompts) {}

  run(chat: ChatContext): void | Promise<void> {
    const { exchange, door, body, settings, caller, project } = chat;
    const { limits } = settings;
    const asker = { caller, project, maxBytes: limits.body.maxBytes };
    const context = {
      project,
      fillPrompt: (fields: Readonly<Record<string, unknown>>) => this.prompts.fill(asker, fields),
    };
    return step(door.read(body, limits, caller.attributes.minPriority, context), (parsed) => {
      chat.parsed = parsed;
      chat.fallbacks = readFallbacks(parsed.fields, exchange.header('hone-fallback'));
      exchange.offerId(parsed.dto.request_id);
    });
  }
}
