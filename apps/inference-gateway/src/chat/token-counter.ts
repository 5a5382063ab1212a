import { Injectable } from '@nestjs/common';

import type { Exchange } from '../http/exchange.js';
import { SettingsStore } from '../shared/gateway-settings.js';
import { inWordsOf } from './chat.pipeline.js';
import { ChatContext, type ChatStep } from './chat-context.js';
import type { Door } from './door.js';
import { Authenticate } from './steps/authenticate.js';
import { Authorize } from './steps/authorize.js';
import { ReadBody } from './steps/read-body.js';
import { ResolveModel } from './steps/resolve-model.js';
import { Validate } from './steps/validate.js';
import { toChatRequest } from './to-chat-request.js';

/** Counts the tokens of prompts. No limit is spent, nothing is metered, and no call is kept: no model is asked. */
@Injectable()
export class TokenCounter {
  private readonly steps: readonly ChatStep[];

  constructor(
    authenticate: Authenticate,
    authorize: Authorize,
    readBody: ReadBody,
    validate: Validate,
    resolveModel: ResolveModel,
    private readonly settings: SettingsStore,
  ) {
    this.steps = [authenticate, authorize, readBody, validate, resolveModel];
  }

  /** @param door reads the body; there is no answer to write @throws GatewayError what the pipeline's steps throw, 502, 503 */
  async count(exchange: Exchange, door: Door): Promise<number> {
    const chat = new ChatContext(exchange, door, this.settings.current);
    chat.entry = null;
    try {
      for (const step of this.steps) await step.run(chat);
      return await chat.model.countTokens(toChatRequest(chat));
    } catch (error) {
      throw inWordsOf(chat, error);
    }
  }
}
