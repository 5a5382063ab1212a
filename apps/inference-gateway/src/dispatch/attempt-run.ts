import type { TargetFailure } from '../targets/target-failure.js';
import type { AnswerReader, ChatRequest, CompleteAnswer, RunningAttempt, TokenUsage } from '../targets/target.js';
import type { AbortListeners } from './abort-scope.js';
import { targetHeaders } from './answer-headers.js';
import type { RouteTarget } from './route.js';
import type { StreamRelay } from './stream-relay.js';

/** How an attempt ended: with an answer, a failure, or because the request was aborted. */
export type AttemptEnd = AttemptVerdict & { readonly malformedFrames: number };

type AttemptVerdict =
  | { readonly answer: CompleteAnswer }
  | { readonly failure: TargetFailure; readonly usage: TokenUsage | null }
  | { readonly isAborted: true; readonly usage: TokenUsage | null };

export interface AttemptOrder {
  readonly request: ChatRequest;
  readonly number: number;
  /** For the upstream, before those of the request; lower-case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly target: RouteTarget;
  /** No other target could answer: `ttftLastMs` applies. */
  readonly isLast: boolean;
  /** Null: the answer is one body. */
  readonly relay: StreamRelay | null;
  readonly scope: AbortListeners;
  /** The first answer frame has come. */
  readonly onAnswer: () => void;
  /** It has ended; called at once, before the returned promise resolves. */
  readonly onEnd: (end: AttemptEnd) => void;
}

/** Dispatches a request to one target, once; its frames go to the relay. */
export function runAttempt(order: AttemptOrder): Promise<AttemptEnd> {
  return new Promise((resolve) => new AttemptRun(order, resolve).start());
}

class AttemptRun implements AnswerReader {
  private running: RunningAttempt | null = null;
  private hasStarted = false;
  private hasEnded = false;
  private readonly onAbort = () => {
    this.running?.abort();
    this.end({ isAborted: true, usage: this.produced(), malformedFrames: this.malformedFrames });
  };

  constructor(
    private readonly order: AttemptOrder,
    private readonly resolve: (end: AttemptEnd) => void,
  ) {}

  start(): void {
    const { request, number, headers, target, isLast, relay, scope } = this.order;
    const { limits, state } = target;
    relay?.begin({
      headers: targetHeaders(state.target, number),
      pause: () => this.running?.pause(),
      resume: () => this.running?.resume(),
    });
    scope.onAbort(this.onAbort);
    const { responseMs, stallMs, doneGraceMs } = limits;
    const ttftMs = isLast ? limits.ttftLastMs : limits.ttftMs;
    this.running = state.target.dispatch(
      { request, number, headers, limits: { ttftMs, responseMs, stallMs, doneGraceMs } },
      this,
    );
  }

  onFrames(bytes: Buffer, hasAnswer: boolean): void {
    const { relay, onAnswer } = this.order;
    if (hasAnswer) {
      this.hasStarted = true;
      onAnswer();
    }
    if (relay === null || relay.frames(bytes, hasAnswer)) return;
    this.running?.abort();
    this.endBy({ reason: 'oversized', message: 'The upstream sent too much without an answer.' }, null);
  }

  onComplete(answer: CompleteAnswer): void {
    this.end({ answer, malformedFrames: this.malformedFrames });
  }

  onFailure(failure: TargetFailure): void {
    this.endBy(failure, this.produced());
  }

  private endBy(failure: TargetFailure, usage: TokenUsage | null): void {
    this.end({ failure, usage, malformedFrames: this.malformedFrames });
  }

  private produced(): TokenUsage | null {
    return this.hasStarted ? (this.running?.produced() ?? null) : null;
  }

  private get malformedFrames(): number {
    return this.running?.malformedFrames ?? 0;
  }

  private end(how: AttemptEnd): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.order.scope.offAbort(this.onAbort);
    this.order.onEnd(how);
    this.resolve(how);
  }
}
