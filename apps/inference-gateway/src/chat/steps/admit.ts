import { Injectable } from '@nestjs/common';

import { GatewayModels } from '../../catalogue/models/gateway-models.js';
import type { Route } from '../../dispatch/route/route.js';
import { priceOf } from '../../dispatch/route/route-price.js';
import { CompletionEstimates } from '../../metering/limits/completion-estimates.js';
import { UsageLimiter } from '../../metering/limits/usage-limiter.js';
import { UsageProjects } from '../../metering/projects/usage-projects.service.js';
import { MeteringService } from '../../metering/recording/metering.service.js';
import { costOf, toModelPrice } from '../../metering/records/cost.js';
import { FREE, type ModelPrice, NO_TOKENS } from '../../metering/records/usage-record.js';
import { step } from '../../shared/step.js';
import type { ChatContext, ChatStep } from '../chat-context.js';
import { MeteredRun } from '../metered-run.js';
import { toChatRequest } from '../to-chat-request.js';

/** Estimated bytes of a prompt's JSON per token, for reservations, which are settled with the true number. */
const BYTES_PER_TOKEN = 4;

/**
 * Refuses what no target of the model can honour, then reserves rate limits and budget: without waiting while this
 * process has enough of them.
 *
 * @throws LimitExceededError, LimitsUnavailableError, MeteringUnavailableError, and what the model's `assertFits` throws
 */
@Injectable()
export class Admit implements ChatStep {
  constructor(
    private readonly models: GatewayModels,
    private readonly projects: UsageProjects,
    private readonly limiter: UsageLimiter,
    private readonly estimates: CompletionEstimates,
    private readonly records: MeteringService,
  ) {}

  run(chat: ChatContext): void | Promise<void> {
    chat.request = toChatRequest(chat);
    return step(
      chat.model.assertFits(chat.request, () => this.models.readingImages(chat.caller)),
      () => {
        this.records.assertAvailable();
        const { caller, project } = chat;
        return step(project.rowId ?? this.projects.rowIdFor(caller, project), (rowId) => this.reserve(chat, rowId));
      },
    );
  }

  private reserve(chat: ChatContext, projectId: string): void | Promise<void> {
    const { caller, request, model } = chat;
    const { dto } = chat.parsed;
    const { textBytes, mediaTokens } = request.promptSize;
    const price = modelPriceOf(model.route);
    const otherPrices = new Map(model.fallbacks.map(({ route }) => [route.id, modelPriceOf(route)]));
    const promptTokens = Math.ceil(textBytes / BYTES_PER_TOKEN) + mediaTokens;
    const maxTokens = dto.max_completion_tokens ?? dto.max_tokens ?? null;
    const completionTokens = this.estimates.estimate(dto.model, maxTokens);
    const counts = { ...NO_TOKENS, promptTokens, completionTokens };
    const costNanoUsd = Math.max(...[price, ...otherPrices.values()].map((one) => costOf(counts, one)));
    const tokens = promptTokens + completionTokens;
    return step(this.limiter.reserve({ keyId: caller.keyId, projectId, tokens, costNanoUsd }), (reservation) => {
      chat.metered = new MeteredRun(chat, { projectId, price, otherPrices, reservation }, this.records, this.estimates);
    });
  }
}

function modelPriceOf(route: Route): ModelPrice {
  const price = priceOf(route);
  return price === null ? FREE : toModelPrice(price);
}
