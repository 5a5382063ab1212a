import { PRODUCTION_ARM, SHADOW_ARM } from '@hone/contracts';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';

import type { SplitShadow } from '../../catalogue/trained/trained-model.js';
import type { AnswerObserver } from '../../dispatch/answer/answer-observer.js';
import { answers, type Route } from '../../dispatch/route/route.js';
import { CHAT } from '../../shared/endpoint.js';
import { GatewayError } from '../../shared/errors/gateway-error.js';
import { ChatContext, type ChatStep } from '../chat-context.js';
import { CHAT_DOOR } from '../chat-door.js';
import { isShadowed, type ShadowedRequest } from '../splits/drawn-arm.js';
import { SplitModels } from '../splits/split-models.service.js';
import { Admit } from '../steps/admit.js';
import { Dispatch } from '../steps/dispatch.js';
import { LogEntry } from '../steps/log-entry.js';
import { Settle } from '../steps/settle.js';
import { ShadowBudgetRepository } from './shadow-budget.repository.js';
import { ShadowExchange } from './shadow-exchange.js';
import { ShadowMetrics, type ShadowResult } from './shadow-metrics.js';
import { toShadowRequest } from './shadow-request.js';

/** Shadows that one process runs at once; more are left out. */
const MAX_RUNNING = 8;
const NANO = 1e9;
const UNOBSERVED: AnswerObserver = { attemptBegins: () => null };

/**
 * Answers requests a second time, by the shadow of their split, after their callers have their answers. What happens to
 * a shadow concerns no caller: it waits behind all of them, takes nothing of their rate limits, and is left out while its
 * targets are busy.
 */
@Injectable()
export class Shadows implements ChatStep, BeforeApplicationShutdown {
  private readonly logger = new Logger(Shadows.name);
  private readonly running = new Map<ShadowExchange, Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly models: SplitModels,
    private readonly logEntry: LogEntry,
    private readonly admit: Admit,
    private readonly dispatch: Dispatch,
    private readonly settle: Settle,
    private readonly budget: ShadowBudgetRepository,
    private readonly metrics: ShadowMetrics,
  ) {}

  /** Begins the shadow of a request that production has answered, if its split has one and its draw says so. */
  run(chat: ChatContext): void {
    const { drawn, entry, exchange } = chat;
    const shadow = drawn?.split.shadow ?? null;
    // A request without a call has nothing that its shadow could be compared with.
    if (drawn === null || shadow === null || entry === null || !isProduction(chat)) return;
    if (!isShadowed(drawn.split, exchange.rid)) return;
    if (this.isStopping || this.running.size >= MAX_RUNNING) return this.metrics.count('shed');
    const own = new ShadowExchange(exchange);
    const running = this.answer(chat, own, shadow, { uid: exchange.uid, callId: entry.id }).then(
      (result) => this.metrics.count(result),
      (error: unknown) => this.refused(error),
    );
    this.running.set(
      own,
      running.finally(() => this.running.delete(own)),
    );
  }

  /** Shadows under way end; what they have used is recorded. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const exchange of this.running.keys()) exchange.stop();
    await Promise.all(this.running.values());
  }

  private async answer(
    asked: ChatContext,
    exchange: ShadowExchange,
    shadow: SplitShadow,
    shadowed: ShadowedRequest,
  ): Promise<ShadowResult> {
    const parsed = toShadowRequest(asked.parsed, shadow.model);
    const model = parsed && (await this.models.find(shadow.model, asked.caller));
    if (!model || !answers(model.route, CHAT)) return 'refused';
    if (isBusy(model.route)) return 'shed';
    const chat = toShadow(asked, exchange, shadowed);
    Object.assign(chat, { parsed, model });
    await this.logEntry.run(chat);
    await this.admit.run(chat);
    return this.withinBudget(chat, shadow);
  }

  /** Answers within the budget of the day: what a request may cost is spent before it, and corrected after it. */
  private async withinBudget(chat: ChatContext, { maxCostUsdPerDay }: SplitShadow): Promise<ShadowResult> {
    const { metered, drawn } = chat;
    const { id } = (drawn as NonNullable<ChatContext['drawn']>).split;
    const reserved = metered.costNanoUsd;
    const day = new Date().toISOString().slice(0, 10);
    const limit = maxCostUsdPerDay === null ? null : Math.round(maxCostUsdPerDay * NANO);
    const mayRun = reserved === 0 || (await this.budget.reserve(id, reserved, limit).catch(() => false));
    if (!mayRun) {
      metered.cancel();
      return 'over_cap';
    }
    await this.dispatch.run(chat);
    await this.settle.run(chat);
    const difference = metered.costNanoUsd - reserved;
    // What could not be corrected stays spent.
    if (difference !== 0) await this.budget.settle(id, difference, day).catch(() => undefined);
    return chat.outcome.status === 'ok' ? 'answered' : 'failed';
  }

  private refused(error: unknown): void {
    this.metrics.count('refused');
    if (!(error instanceof GatewayError)) this.logger.warn(`a shadow was not answered: ${(error as Error).name}`);
  }
}

/** The same request of the same caller, for nobody; without its model. */
function toShadow(asked: ChatContext, exchange: ShadowExchange, shadowed: ShadowedRequest): ChatContext {
  const chat = new ChatContext(exchange, CHAT_DOOR, asked.settings);
  chat.caller = asked.caller;
  chat.project = asked.project;
  chat.fallbacks = [];
  chat.drawn = asked.drawn && { ...asked.drawn, arm: SHADOW_ARM, unresolved: null };
  chat.shadowed = shadowed;
  chat.observer = UNOBSERVED;
  return chat;
}

/** The checkpoint of the alias has answered. */
const isProduction = ({ drawn, outcome }: ChatContext): boolean =>
  outcome.status === 'ok' && drawn?.arm === PRODUCTION_ARM;

/** Half of the slots of each target that could answer are taken, or more: the others are left to callers. */
const isBusy = ({ tiers }: Route): boolean =>
  tiers.every(({ targets }) => targets.every(({ state }) => state.inFlight * 2 >= state.maxConcurrency));
