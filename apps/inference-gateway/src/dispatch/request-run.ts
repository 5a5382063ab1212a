import { type Clock, SYSTEM_CLOCK } from '../shared/time/clock.js';
import { formFor } from '../targets/form-for.js';
import type { AnswerReader, ChatRequest, CompleteAnswer, RunningAttempt, TokenUsage } from '../targets/target.js';
import type { TargetFailure } from '../targets/target-failure.js';
import { AbortScope } from './abort-scope.js';
import { type AnswerFailure, ownFailure } from './answer/answer-failure.js';
import { targetHeaders } from './answer/answer-headers.js';
import type { AnswerOrder, AnswerTools } from './answer/answer-order.js';
import type { AnswerSink } from './answer/answer-sink.js';
import type { AnswerOutcome } from './answer/outcome.js';
import { dispatchTo } from './choices/split-attempt.js';
import { type AttemptEnd, AttemptTimes, RequestHistory } from './request-history.js';
import type { Route, RouteTarget } from './route/route.js';
import { AttemptPlan, type NextStep } from './selection/attempt-plan.js';
import { Eligibility } from './selection/eligibility.js';
import { type NoSelection, type Selection, TargetSelector } from './selection/target-selector.js';
import { StreamRelay } from './stream-relay.js';

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

/** One request on its way through its route's targets. */
class RequestRun {
  private readonly eligibility: Eligibility;
  private readonly selector: TargetSelector;
  private readonly plan: AttemptPlan;
  private readonly scope: AbortScope;
  private readonly history: RequestHistory;
  /** Null: the answer is one body, which is never sent in part. */
  private readonly relay: StreamRelay | null;
  private readonly clock: Clock;
  /** By the last attempt. */
  private asked: RouteTarget | null = null;

  constructor(
    private readonly order: AnswerOrder,
    private readonly sink: AnswerSink,
    { clock, random }: AnswerTools,
  ) {
    const { request, route, guard, priority, signal } = order;
    this.clock = clock;
    this.history = new RequestHistory(route, request.rid, clock);
    this.eligibility = new Eligibility(request);
    this.selector = new TargetSelector(route, this.eligibility, priority, clock, random);
    this.plan = new AttemptPlan(route, this.eligibility, random);
    this.scope = new AbortScope(signal, route.limits.totalMs, clock);
    const onStuck = () => this.scope.abort('stuck');
    this.relay = request.isStream ? new StreamRelay(sink, guard, route.limits, clock, onStuck) : null;
  }

  /** Attempts targets until one has answered or none is left. */
  async run(): Promise<AnswerOutcome> {
    try {
      let step: NextStep = { kind: 'choose' };
      while (step.kind !== 'stop' && !this.scope.isAborted) {
        const selecting = this.select(step);
        const selection = selecting instanceof Promise ? await selecting : selecting;
        if (this.scope.isAborted) {
          if (typeof selection !== 'string') selection.slot.release();
          break;
        }
        if (typeof selection === 'string') return this.fail(this.history.unselected(selection));
        const end = await this.attempt(selection);
        if ('answer' in end) return await this.finish(end.answer);
        if ('failure' in end) {
          if (this.relay?.isForwarding) return this.fail(this.history.summary());
          step = this.plan.afterFailure(selection.target, selection.slot, end.failure);
        }
      }
      return this.scope.isAborted ? this.aborted() : this.fail(this.history.summary());
    } finally {
      this.scope.close();
      this.relay?.close();
    }
  }

  private select(step: NextStep): Selection | Promise<Selection | NoSelection> {
    if (step.kind === 'retry') return this.selectAfterWait(step);
    const selecting = this.selector.select(this.scope);
    return selecting instanceof Promise ? this.history.queued(selecting) : selecting;
  }

  private async selectAfterWait({ targets, waitMs }: NextStep & { kind: 'retry' }): Promise<Selection | NoSelection> {
    await this.scope.sleep(waitMs);
    const usable = targets.filter((target) => this.eligibility.isUsable(target));
    return this.selector.acquireOne(usable) ?? this.select({ kind: 'choose' });
  }

  private attempt({ target, slot }: Selection): Promise<AttemptEnd> {
    const { history, relay } = this;
    const { state } = target;
    this.plan.begin(target);
    history.begin(state);
    this.asked = target;
    const times = new AttemptTimes(this.clock);
    const number = this.plan.attempts;
    const observer = this.order.observer?.attemptBegins(state.target, number) ?? null;
    const request = formFor(state.target, this.order.request);
    this.sink.answersIn?.(request.endpoint);
    return runAttempt({
      request,
      number,
      headers: observer?.headers,
      target,
      route: this.order.route,
      isLast: !this.hasOther(target),
      relay,
      scope: this.scope,
      onAnswer: () => {
        times.count();
        history.answered();
      },
      onEnd: (end) => {
        if ('answer' in end) slot.succeed();
        else if ('failure' in end) slot.fail(end.failure);
        else slot.release();
        const record = history.end(target, end, times, relay?.isForwarding ?? false);
        observer?.ended(record, 'failure' in end ? end.failure : null);
      },
    });
  }

  /** Another target could answer if this one fails. */
  private hasOther(target: RouteTarget): boolean {
    return this.order.route.tiers.some(({ targets }) =>
      targets.some((other) => other !== target && this.eligibility.isUsable(other)),
    );
  }

  private async finish({
    bytes,
    usage,
    oddities,
    finishReasons = [],
    tokens = null,
    contentType,
    toKept,
  }: CompleteAnswer): Promise<AnswerOutcome> {
    const { history, relay } = this;
    history.answered();
    const status = { status: 'ok', failure: null, isCommitted: relay?.isCommitted ?? false } as const;
    const warnings = this.asked?.state.target.warnings?.(this.order.request);
    const outcome = history.outcome(status, { usage, oddities, finishReasons, tokens, warnings, toKept });
    const rest = relay?.restOf(bytes) ?? bytes;
    try {
      await this.sink.settle(outcome, rest);
    } catch {
      return this.fail(ownFailure('metering_unavailable', 'Usage cannot be recorded at the moment.', 1_000));
    }
    if (relay !== null) relay.end(rest, contentType);
    else {
      this.sink.commit(
        Object.assign(
          wholeHeaders(rest.length, contentType),
          targetHeaders(this.order.route, this.asked as RouteTarget, this.order.request, this.plan.attempts),
        ),
      );
      this.sink.end(rest);
    }
    outcome.isCommitted = true;
    outcome.durationMs = history.elapsedMs();
    return outcome;
  }

  private aborted(): AnswerOutcome {
    switch (this.scope.reason) {
      case 'timeout':
        return this.fail(ownFailure('upstream_timeout', 'The request took too long.'));
      case 'shutdown': {
        const failure = ownFailure('overloaded', 'The server is shutting down.', 1_000);
        return this.fail({ ...failure, streamCode: 'server_shutdown' });
      }
      case 'left':
      case 'stuck':
      case null:
        return this.history.outcome({
          status: 'aborted',
          failure: null,
          isCommitted: this.relay?.isCommitted ?? false,
        });
    }
  }

  private fail(failure: AnswerFailure): AnswerOutcome {
    const { relay } = this;
    const shown = relay?.isForwarding ? { ...failure, code: failure.streamCode } : failure;
    if (relay?.isCommitted) relay.fail(shown);
    return this.history.outcome({ status: 'failed', failure: shown, isCommitted: relay?.isCommitted ?? false });
  }
}

const wholeHeaders = (bytes: number, type = 'application/json'): Record<string, string> => ({
  'content-type': type,
  'content-length': String(bytes),
  'cache-control': 'no-store',
});

interface AttemptOrder {
  readonly request: ChatRequest;
  readonly number: number;
  /** For the upstream, before those of the request; lower-case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly target: RouteTarget;
  readonly route: Route;
  /** No other target could answer: `ttftLastMs` applies. */
  readonly isLast: boolean;
  /** Null: the answer is one body. */
  readonly relay: StreamRelay | null;
  readonly scope: AbortScope;
  /** A part of the answer has come. */
  readonly onAnswer: () => void;
  /** It has ended; called at once, before the returned promise resolves. */
  readonly onEnd: (end: AttemptEnd) => void;
}

/** Dispatches a request to one target, once; its frames go to the relay. */
const runAttempt = (order: AttemptOrder): Promise<AttemptEnd> =>
  new Promise((resolve) => new AttemptRun(order, resolve).start());

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
    const { request, number, headers, target, route, isLast, relay, scope } = this.order;
    const { limits, state } = target;
    relay?.begin({
      headers: targetHeaders(route, target, request, number),
      pause: () => this.running?.pause(),
      resume: () => this.running?.resume(),
    });
    scope.onAbort(this.onAbort);
    const { responseMs, stallMs, doneGraceMs } = limits;
    const ttftMs = isLast ? limits.ttftLastMs : limits.ttftMs;
    this.running = dispatchTo(
      state,
      { request, number, headers, limits: { ttftMs, responseMs, stallMs, doneGraceMs } },
      this,
    );
  }

  onFrames(bytes: Buffer, hasAnswer: boolean, contentType?: string): void {
    const { relay, onAnswer } = this.order;
    if (hasAnswer) {
      this.hasStarted = true;
      onAnswer();
    }
    if (relay === null || relay.frames(bytes, hasAnswer, contentType)) return;
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
