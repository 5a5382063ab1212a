import type { Capability } from '@hone/contracts';

import { CHAT_ONLY, type Endpoint } from '../../shared/endpoint.js';
import type { ChatRequest } from '../../targets/target.js';
import type { TargetState } from '../health/target-state.js';
import type { Limits } from '../policy/limits.js';
import type { AnswerCache } from './answer-cache.js';

export type Strategy = 'least_busy' | 'weighted';
export type StreamGuard = 'passthrough' | 'buffered';

/** A target as a route uses it. */
export interface RouteTarget {
  readonly state: TargetState;
  /** Share of the load, > 0. */
  readonly weight: number;
  /** Its tier: 0 is tried first. */
  readonly priority: number;
  /** The route's limits, else the upstream's, else the defaults. */
  readonly limits: Limits;
}

/** Targets of the same priority. */
export interface Tier {
  readonly targets: readonly RouteTarget[];
  /** Requests of this route that wait in the tier's queue. */
  waiting: number;
}

/** Prices in USD: per million tokens unless another unit is named. */
export interface Price {
  readonly prompt: number;
  /** Of prompt tokens that were read from a cache. */
  readonly cached: number;
  /** Of prompt tokens that were written into a cache. */
  readonly cacheWrite: number;
  readonly completion: number;
  /** Of completion tokens that were spent on reasoning. */
  readonly reasoning: number;
  /** Of one image. Absent: 0, as the others. */
  readonly image?: number;
  /** Of a million characters that are spoken. */
  readonly characters?: number;
  /** Of a minute of audio that is written down. */
  readonly minute?: number;
}

/** A model id that callers may send. */
export interface Route {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly strategy: Strategy;
  readonly streamGuard: StreamGuard;
  readonly limits: Limits;
  /** Lowest priority first. */
  readonly tiers: readonly Tier[];
  /** Null: nothing is charged, unless {@link listedModel} has a price. */
  readonly price: Price | null;
  /** Model of a provider whose price of the built-in list holds where the route has none of its own. Null: none. */
  readonly listedModel: string | null;
  /** Callers may bring a chat template of their own. */
  readonly trustChatTemplate: boolean;
  /** Another model may answer for a trained one. */
  readonly trainedFallback: boolean;
  /** Its answers, which equal requests get again. Absent: none are kept. */
  readonly cache?: AnswerCache;
  /** Routes that it was made of for one request, in order. Absent: it is a route of its own. */
  readonly parts?: readonly Route[];
}

/** Groups a route's targets by their priority. */
export function toTiers(targets: readonly RouteTarget[]): Tier[] {
  const priorities = [...new Set(targets.map(({ priority }) => priority))].sort((left, right) => left - right);
  return priorities.map((priority) => ({
    targets: targets.filter((target) => target.priority === priority),
    waiting: 0,
  }));
}

const NO_NEEDS: ReadonlySet<Capability> = new Set();

/** The capabilities that a request needs beyond plain text. */
export function needsOf({ fields }: ChatRequest): ReadonlySet<Capability> {
  const needs: Capability[] = [];
  const messages = Array.isArray(fields.messages) ? (fields.messages as Record<string, unknown>[]) : [];
  if (isFilled(fields.tools) || isFilled(fields.functions)) needs.push('tools');
  if (isStructured(fields)) needs.push('structured');
  if (fields.logprobs === true || typeof fields.prompt_logprobs === 'number') needs.push('logprobs');
  if (fields.continue_final_message === true || messages.at(-1)?.role === 'assistant') needs.push('prefill');
  if (messages.some(hasImage)) needs.push('vision');
  return needs.length === 0 ? NO_NEEDS : new Set(needs);
}

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0;

function isStructured({ response_format: format, structured_outputs: outputs }: ChatRequest['fields']): boolean {
  const { type, json_schema: schema } = (format ?? {}) as Record<string, unknown>;
  if ((typeof type === 'string' && type !== 'text') || schema !== undefined) return true;
  if (outputs === undefined || outputs === null) return false;
  return Object.values(outputs as object).some((member) => member !== null && member !== false);
}

const hasImage = ({ content }: Record<string, unknown>): boolean => Array.isArray(content) && content.some(isImage);
const isImage = (part: unknown): boolean =>
  ['image_url', 'image', 'input_image'].includes((part as { type?: string } | null)?.type ?? '');

/** Milliseconds until the first of a route's targets may be usable again; 0: now. */
export function healthyInMs({ tiers }: Route): number {
  const waits = tiers.flatMap(({ targets }) =>
    targets.map(({ state }) => Math.max(state.usableInMs, state.cooldown.leftMs)),
  );
  return waits.length === 0 ? 0 : Math.min(...waits);
}

/** Whether a route's targets answer an endpoint; true where only some do, or none is there. */
export const answers = ({ tiers }: Route, endpoint: Endpoint): boolean =>
  tiers.length === 0 ||
  tiers.some(({ targets }) => targets.some(({ state }) => (state.target.endpoints ?? CHAT_ONLY).has(endpoint)));

/**
 * Routes as one, for a request that names them all: the targets of each in tiers after those of the one before. The limits,
 * and the id, are those of the first; what one of them demands of a request holds for all. No answer is kept.
 *
 * @param routes at least one, different ones
 */
export function inOneRoute(routes: readonly Route[]): Route {
  return {
    ...withoutCache(routes[0] as Route),
    tiers: routes.flatMap(({ tiers }) => tiers),
    streamGuard: routes.some(({ streamGuard }) => streamGuard === 'buffered') ? 'buffered' : 'passthrough',
    trustChatTemplate: routes.every(({ trustChatTemplate }) => trustChatTemplate),
    parts: routes,
  };
}

/** The route that a target was taken from. */
export const partOf = (route: Route, target: RouteTarget): Route =>
  route.parts?.find(({ tiers }) => tiers.some(({ targets }) => targets.includes(target))) ?? route;

/** The rules of a route for other targets, whose answers must not mix with its own. */
export function withoutCache<T extends Pick<Route, 'cache'>>({ cache: _cache, ...rules }: T): Omit<T, 'cache'> {
  return rules;
}
