import type { CallerSignal } from '../shared/caller-signal.js';
import { type Clock, SYSTEM_CLOCK } from '../shared/time/clock.js';
import type { ChatRequest } from '../targets/target.js';
import type { AnswerObserver } from './answer-observer.js';
import type { AnswerSink } from './answer-sink.js';
import type { Random } from './choose-target.js';
import type { AnswerOutcome } from './outcome.js';
import { RequestRun } from './request-run.js';
import type { Route, StreamGuard } from './route.js';

/** An admitted request, and the route that answers it. */
export interface AnswerOrder {
  readonly request: ChatRequest;
  readonly route: Route;
  /** The route's guard, or the stronger one that the caller asked for. */
  readonly guard: StreamGuard;
  /** Lower goes first in queues. */
  readonly priority: number;
  /** Fires when nobody waits for the answer any longer. */
  readonly signal: CallerSignal;
  /** Absent: nobody observes the attempts. */
  readonly observer?: AnswerObserver;
}

/** The environment of a run; specs have their own. */
export interface AnswerTools {
  readonly clock: Clock;
  readonly random: Random;
}

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
