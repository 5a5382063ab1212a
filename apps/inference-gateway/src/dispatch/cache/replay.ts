import { ownFailure } from '../answer/answer-failure.js';
import type { AnswerSink } from '../answer/answer-sink.js';
import type { AnswerOutcome } from '../answer/outcome.js';
import type { KeptAnswer } from '../route/answer-cache.js';

/** What usage records and metrics have for a target. */
const CACHE = 'cache';

/**
 * Answers a request with what was kept, under the request's own id: all at once, in the same form. No target is asked, so
 * there is no usage.
 *
 * @param rid of the request
 */
export async function replay(
  kept: KeptAnswer,
  rid: string,
  isStream: boolean,
  sink: AnswerSink,
): Promise<AnswerOutcome> {
  const bytes = renamed(kept, rid);
  const outcome = outcomeOf(kept);
  try {
    await sink.settle(outcome, bytes);
  } catch {
    const failure = ownFailure('metering_unavailable', 'Usage cannot be recorded at the moment.', 1_000);
    return { ...outcome, status: 'failed', failure, isCommitted: false };
  }
  const headers: Record<string, string> = { ...kept.headers, 'hone-attempts': '0' };
  if (!isStream) headers['content-length'] = String(bytes.length);
  sink.commit(headers);
  sink.end(bytes);
  return outcome;
}

/** The answer with another id. Quotes within texts are escaped, so that only the id itself is found. */
function renamed({ bytes, rid: before }: KeptAnswer, rid: string): Buffer {
  if (before === rid) return bytes;
  let text = bytes.toString('latin1');
  for (const prefix of ['chatcmpl-', 'cmpl-'])
    text = text.replaceAll(`"${prefix}${before}"`, () => `"${prefix}${rid}"`);
  return Buffer.from(text, 'latin1');
}

function outcomeOf({ route, answeredAs, finishReasons, warnings }: KeptAnswer): AnswerOutcome {
  const attempt = { target: CACHE, route, answeredAs, outcome: 'ok', durationMs: 0 } as const;
  return {
    status: 'ok',
    failure: null,
    isCommitted: true,
    attempts: [{ ...attempt, usage: null, chunkGapMs: null, malformedFrames: 0 }],
    usage: null,
    oddities: [],
    finishReasons,
    warnings,
    tokens: null,
    ttftMs: 0,
    queuedMs: 0,
    durationMs: 0,
  };
}
