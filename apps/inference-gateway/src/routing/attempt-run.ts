import type { AnswerReader, ChatRequest, CompleteAnswer, RunningAttempt, TokenUsage } from '../upstreams/target.js';
import type { TargetFailure } from '../upstreams/target-failure.js';

import { targetHeaders } from './answer-headers.js';
import type { Place } from './place-finder.js';
import type { Stopper } from './stopper.js';
import type { StreamRelay } from './stream-relay.js';

/** How an attempt ended: with an answer, a failure, or because the request was stopped. */
export type AttemptEnd =
  | { readonly answer: CompleteAnswer }
  | { readonly failure: TargetFailure; readonly usage: TokenUsage | null }
  | { readonly isStopped: true; readonly usage: TokenUsage | null };

export interface AttemptOrder {
  readonly request: ChatRequest;
  readonly number: number;
  readonly place: Place;
  /** No other target could answer: this one gets more time. */
  readonly isLast: boolean;
  /** Null: the answer is one body. */
  readonly relay: StreamRelay | null;
  readonly stopper: Stopper;
  /** The first answer frame has come. */
  readonly onAnswer: () => void;
}

/** Asks one target, once; its frames go to the relay. */
export function runAttempt(order: AttemptOrder): Promise<AttemptEnd> {
  const { request, number, place, isLast, relay, stopper, onAnswer } = order;
  const { limits, state } = place.target;
  const { upstream, model } = state.target;
  return new Promise((resolve) => {
    let running: RunningAttempt | null = null;
    let hasStarted = false;
    const produced = () => (hasStarted ? (running?.produced() ?? null) : null);
    const end = (how: AttemptEnd) => {
      stopper.signal.removeEventListener('abort', onStop);
      resolve(how);
    };
    const onStop = () => {
      running?.abort();
      end({ isStopped: true, usage: produced() });
    };
    const reader: AnswerReader = {
      onFrames: (bytes, hasAnswer) => {
        if (hasAnswer) {
          hasStarted = true;
          onAnswer();
        }
        if (relay === null || relay.frames(bytes, hasAnswer)) return;
        running?.abort();
        end({
          failure: { reason: 'oversized', message: 'The upstream sent too much without an answer.' },
          usage: null,
        });
      },
      onComplete: (answer) => end({ answer }),
      onFailure: (failure) => end({ failure, usage: produced() }),
    };
    relay?.begin({
      headers: targetHeaders(upstream, model, request.answerModel, number),
      pause: () => running?.pause(),
      resume: () => running?.resume(),
    });
    stopper.signal.addEventListener('abort', onStop, { once: true });
    const { responseMs, stallMs, doneGraceMs } = limits;
    const ttftMs = isLast ? limits.ttftLastMs : limits.ttftMs;
    const attempt = { request, number, limits: { ttftMs, responseMs, stallMs, doneGraceMs } };
    running = state.target.dispatch(attempt, reader);
  });
}
