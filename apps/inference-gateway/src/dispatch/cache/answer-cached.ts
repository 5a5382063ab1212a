import type { ChatRequest } from '../../targets/target.js';
import type { AnswerSink } from '../answer/answer-sink.js';
import type { AnswerOutcome } from '../answer/outcome.js';
import type { AnswerCache, KeptAnswer } from '../route/answer-cache.js';
import { cacheKey } from './cache-key.js';
import { KeepingSink } from './keeping-sink.js';
import { replay } from './replay.js';

/** How the cache of a route serves one request. */
export type CacheUse =
  | { readonly result: 'hit'; readonly kept: KeptAnswer }
  | { readonly result: 'miss'; readonly cache: AnswerCache; readonly key: string }
  /** The caller wants none, or the request is too large. */
  | { readonly result: 'bypass' };

export const BYPASS: CacheUse = { result: 'bypass' };

/** @param owner row id of the project or the key that the answer is for */
export function lookUp(cache: AnswerCache, request: ChatRequest, owner: string): CacheUse {
  const key = cacheKey(request, owner);
  if (key === null) return BYPASS;
  const kept = cache.find(key);
  return kept === undefined ? { result: 'miss', cache, key } : { result: 'hit', kept };
}

/** Answers from the cache, or by `answer`, whose answer is kept. */
export function answerCached(
  use: CacheUse,
  { rid, isStream }: Pick<ChatRequest, 'rid' | 'isStream'>,
  sink: AnswerSink,
  answer: (sink: AnswerSink) => Promise<AnswerOutcome>,
): Promise<AnswerOutcome> {
  switch (use.result) {
    case 'hit':
      return replay(use.kept, rid, isStream, sink);
    case 'miss':
      return answer(new KeepingSink(sink, use.cache, use.key, rid));
    case 'bypass':
      return answer(sink);
  }
}
