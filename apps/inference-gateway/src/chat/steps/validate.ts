import { Injectable } from '@nestjs/common';

import { readThread } from '../../call-log/log-headers.js';
import { step } from '../../shared/step.js';
import { readFallbacks } from '../body/fallback-models.js';
import type { ChatContext, ChatStep } from '../chat-context.js';
import type { Door, DoorContext } from '../door.js';
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
    const context: DoorContext = {
      project,
      contentType: exchange.origin.sentContentType,
      fillPrompt: (fields) => {
        const thread = () => readThread(exchange.header('hone-thread')) ?? userOf(door, fields);
        return this.prompts.fill({ caller, project, maxBytes: limits.body.maxBytes, thread }, fields);
      },
    };
    return step(door.read(body, limits, caller.attributes.minPriority, context), (parsed) => {
      chat.parsed = parsed;
      chat.fallbacks = readFallbacks(parsed.fields, exchange.header('hone-fallback'));
      exchange.offerId(parsed.dto.request_id);
    });
  }
}

/** The end user that the request names; null: it names none, or the name is no text. */
function userOf(
  { userOf: ofDoor = ({ user }) => user }: Door,
  fields: Readonly<Record<string, unknown>>,
): string | null {
  const user = ofDoor(fields);
  return typeof user === 'string' && user !== '' ? user : null;
}
