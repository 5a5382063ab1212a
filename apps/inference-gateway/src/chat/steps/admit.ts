import { Injectable } from '@nestjs/common';

import { GatewayModels } from '../../catalogue/models/gateway-models.js';
import { narrowTo } from '../../catalogue/models/resolved-model.js';
import type { Route } from '../../dispatch/route/route.js';
import { priceOf } from '../../dispatch/route/route-price.js';
import { CompletionEstimates } from '../../metering/limits/completion-estimates.js';
import type { Reservation } from '../../metering/limits/reservation.js';
import { UsageLimiter } from '../../metering/limits/usage-limiter.js';
import { UsageProjects } from '../../metering/projects/usage-projects.service.js';
import { MeteringService } from '../../metering/recording/metering.service.js';
import { costOf, toModelPrice, unitPriceOf } from '../../metering/records/cost.js';
import { FREE, type ModelPrice, NO_TOKENS, type TokenCounts } from '../../metering/records/usage-record.js';
import type { Endpoint } from '../../shared/endpoint.js';
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
    const { caller, request, model, shadowed } = chat;
    const { dto } = chat.parsed;
    const { textBytes, mediaTokens } = request.promptSize;
    const prices = pricesOf(model.route, request.endpoint);
    const promptTokens = Math.ceil(textBytes / BYTES_PER_TOKEN) + mediaTokens;
    const maxTokens = dto.max_completion_tokens ?? dto.max_tokens ?? null;
    const completionTokens = this.estimates.estimate(dto.model, maxTokens);
    const models = costsOf({ ...NO_TOKENS, promptTokens, completionTokens, units: request.media?.units }, prices);
    const costNanoUsd = Math.max(...models.values());
    const tokens = promptTokens + completionTokens;
    const ofBudgetsAlone = shadowed !== null;
    const need = { keyId: caller.keyId, projectId, tokens, costNanoUsd, models, ofBudgetsAlone };
    return step(this.limiter.reserve(need), (reservation) =>
      step(this.narrow(chat, reservation), () => {
        chat.metered = new MeteredRun(
          chat,
          { projectId, prices, reservation, costNanoUsd },
          this.records,
          this.estimates,
        );
      }),
    );
  }

  /** Models whose budgets are used up do not answer. Where only they could honour the request, their budget refuses it. */
  private narrow(chat: ChatContext, reservation: Reservation): void | Promise<void> {
    const { refusal } = reservation;
    if (refusal === null) return;
    chat.model = narrowTo(chat.model, (routeId) => reservation.admits(routeId));
    const checking = async () => chat.model.assertFits(chat.request, () => []);
    return checking().catch(() => {
      reservation.settle({ tokens: 0, costNanoUsd: 0 });
      throw refusal;
    });
  }
}

/** Of each route that a route is made of, by its id. */
function pricesOf(route: Route, endpoint: Endpoint): ReadonlyMap<string, ModelPrice> {
  const prices = new Map<string, ModelPrice>();
  for (const part of route.parts ?? [route]) prices.set(part.id, modelPriceOf(part, endpoint));
  return prices;
}

function costsOf(counts: TokenCounts, prices: ReadonlyMap<string, ModelPrice>): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const [id, price] of prices) costs.set(id, costOf(counts, price));
  return costs;
}

function modelPriceOf(route: Route, endpoint: Endpoint): ModelPrice {
  const price = priceOf(route);
  if (price === null) return FREE;
  const unit = unitPriceOf(price, endpoint);
  return unit === 0 ? toModelPrice(price) : { ...toModelPrice(price), unit };
}
