import { Injectable } from '@nestjs/common';

import { answerCached, BYPASS, type CacheUse, lookUp } from '../../dispatch/cache/answer-cached.js';
import { answerRequest } from '../../dispatch/request-run.js';
import { answers, type StreamGuard } from '../../dispatch/route/route.js';
import type { ChatContext, ChatStep } from '../chat-context.js';
import { ReplySink } from '../reply-sink.js';
import { armHeader } from '../splits/drawn-arm.js';

/** Asks the targets of the model until one has answered, unless the answer is kept; it goes to the caller as it comes. */
@Injectable()
export class Dispatch implements ChatStep {
  async run(chat: ChatContext): Promise<void> {
    const { exchange, door, parsed, request, model, metered, entry, callHeader, observer } = chat;
    const cached = cacheUse(chat);
    const headers = Object.assign(
      exchange.headers,
      metered.headers,
      callHeader,
      armHeader(chat.drawn),
      cached && { 'hone-cache': cached.result },
    );
    const reply = new ReplySink(
      exchange.response,
      headers,
      (outcome) => metered.complete(outcome, `${door.idPrefix}${exchange.rid}`),
      entry,
    );
    const order = {
      request,
      route: model.route,
      guard: guardOf(chat),
      priority: chat.shadowed === null ? ((request.fields.priority as number | null | undefined) ?? 0) : LAST,
      signal: exchange.signal,
      observer,
    };
    const sink = parsed.toSink?.(reply, { rid: exchange.rid, isKept: entry?.keepsContent === true }) ?? reply;
    chat.outcome = await answerCached(cached ?? BYPASS, request, sink, (own) => answerRequest(order, own));
  }
}

/** Priority of requests that nobody waits for, behind all that callers may send. */
const LAST = Number.MAX_SAFE_INTEGER;

/** A caller may request a stricter guard than the route's, never a weaker one. The comments of a guard are no audio. */
const guardOf = ({ exchange, model, request }: ChatContext): StreamGuard =>
  request.media !== undefined
    ? 'passthrough'
    : exchange.header('hone-stream-guard') === 'buffered'
      ? 'buffered'
      : model.route.streamGuard;

/** `Cache-Control` of callers who want an answer of their own. */
const NOT_CACHED = /\bno-(?:store|cache)\b/i;

/** Null: the route keeps no answers. */
function cacheUse({ exchange, parsed, model, request, metered, caller }: ChatContext): CacheUse | null {
  const { cache } = model.route;
  if (cache === undefined || request.media !== undefined) return null;
  const isUnwanted = exchange.header('hone-cache')?.trim().toLowerCase() === 'bypass';
  if (isUnwanted || NOT_CACHED.test(exchange.header('cache-control') ?? '')) return BYPASS;
  // An upstream that gets the request as it came may read more of it than its chat completion says.
  if (parsed.native !== undefined && answers(model.route, parsed.native.endpoint)) return BYPASS;
  // A key may be used for several projects.
  const owner = cache.settings.scope === 'key' ? `${metered.projectId} ${caller.keyId}` : metered.projectId;
  return lookUp(cache, request, owner);
}
