import { SYSTEM_CLOCK } from '../shared/time/clock.js';
import type { AnswerOrder, AnswerTools } from './answer-order.js';
import type { AnswerSink } from './answer-sink.js';
import type { AnswerOutcome } from './outcome.js';
import { RequestRun } from './request-run.js';

/**
 * Answers a request by its route's targets: waits for slots, retries, fails over, and writes either a whole answer or,
 * once a part was sent, an error frame. A failure before that is returned, and nothing was written.
 *
 * Never rejects because of what upstreams or callers do.
 */
export function answerRequest(
  order: AnswerOrder,
  sink: AnswerSink,
  tools: AnswerTools = { clock: SYSTEM_CLOCK, random: Math.random },
): Promise<AnswerOutcome> {
  return new RequestRun(order, sink, tools).run();
}
