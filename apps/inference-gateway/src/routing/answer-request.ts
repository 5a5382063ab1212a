import type { AnswerWatch } from '../observability/answer-watch.js';
import { type Clock, SYSTEM_CLOCK } from '../upstreams/clock.js';
import type { ChatRequest } from '../upstreams/target.js';

import { AnswerRun } from './answer-run.js';
import type { AnswerOutcome, AnswerSink } from './answer-sink.js';
import type { Random } from './choose-target.js';
import type { Route, StreamGuard } from './route.js';
import type { CallerSignal } from './stopper.js';

/** A request that was admitted, and where it goes. */
export interface AnswerOrder {
  readonly request: ChatRequest;
  readonly route: Route;
  /** The route's guard, or the stronger one that the caller asked for. */
  readonly guard: StreamGuard;
  /** Lower goes first in queues. */
  readonly priority: number;
  /** Ends when nobody waits for the answer any longer. */
  readonly signal: CallerSignal;
  /** Is told of the attempts; absent: nobody looks. */
  readonly watch?: AnswerWatch;
}

/** The environment of a run; specs have their own. */
export interface AnswerTools {
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Has a request answered by its route's targets: waits for places, retries, fails over, and writes either a whole
 * answer or, once something was sent, a frame that says that it failed. A failure before that is returned, and nothing
 * was written.
 *
 * Never rejects because of what upstreams or callers do.
 */
export function answerRequest(
  order: AnswerOrder,
  sink: AnswerSink,
  tools: AnswerTools = { clock: SYSTEM_CLOCK, random: Math.random },
): Promise<AnswerOutcome> {
  return new AnswerRun(order, sink, tools).run();
}
