import type { CallerSignal } from '../../shared/caller-signal.js';
import type { Clock } from '../../shared/time/clock.js';
import type { ChatRequest } from '../../targets/target.js';
import type { Route, StreamGuard } from '../route/route.js';
import type { Random } from '../selection/target-selector.js';
import type { AnswerObserver } from './answer-observer.js';

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
