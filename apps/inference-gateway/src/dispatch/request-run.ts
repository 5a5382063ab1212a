import type { TargetFailure } from '../targets/target-failure.js';
import type { CompleteAnswer, Target, TokenUsage } from '../targets/target.js';
import { AbortScope } from './abort-scope.js';
import { type AnswerFailure, failureFrame, isUpstreamFault, ownFailure, summariseFailures } from './answer-failure.js';
import { targetHeaders } from './answer-headers.js';
import type { AnswerOrder, AnswerTools } from './answer-order.js';
import type { AnswerSink } from './answer-sink.js';
import { AttemptPlan, type NextStep } from './attempt-plan.js';
import { type AttemptEnd, runAttempt } from './attempt-run.js';
import { ChunkPace } from './chunk-pace.js';
import { Eligibility } from './eligibility.js';
import type { AnswerOutcome, AttemptRecord } from './outcome.js';
import type { FailedAttempt } from './recent-attempts.js';
import { healthyInMs } from './route-health.js';
import type { RouteTarget } from './route.js';
import { StreamRelay } from './stream-relay.js';
import { type NoSelection, type Selection, TargetSelector } from './target-selector.js';
import type { Slot, TargetState } from './target-state.js';

/** One request on its way through its route's targets. */
export class RequestRun {
  private readonly startedMs: number;
  private readonly eligibility: Eligibility;
  private readonly selector: TargetSelector;
  private readonly plan: AttemptPlan;
  private readonly scope: AbortScope;
  /** Null: the answer is one body, which is never sent in part. */
  private readonly relay: StreamRelay | null;
  private readonly attempts: AttemptRecord[] = [];
  private readonly failures: TargetFailure[] = [];
  /** By the last attempt. */
  private asked: Target | null = null;
  private forwarded: TokenUsage | null = null;
  /** The last attempt, if it failed. */
  private failed: FailedAttempt | null = null;
  private ttftMs: number | null = null;
  private queuedMs = 0;

  constructor(
    private readonly order: AnswerOrder,
    private readonly sink: AnswerSink,
    private readonly tools: AnswerTools,
  ) {
    const { request, route, guard, priority, signal } = order;
    const { clock, random } = tools;
    this.startedMs = clock.now();
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
        if (typeof selection === 'string') return this.fail(this.unselected(selection));
        const end = await this.attempt(selection);
        if ('answer' in end) return await this.finish(end.answer);
        if ('failure' in end) {
          if (this.relay?.isForwarding) return this.fail(this.summary());
          step = this.plan.afterFailure(selection.target, selection.slot, end.failure);
        }
      }
      return this.scope.isAborted ? this.aborted() : this.fail(this.summary());
    } finally {
      this.scope.close();
      this.relay?.close();
    }
  }

  private select(step: NextStep): Selection | Promise<Selection | NoSelection> {
    if (step.kind === 'retry') return this.selectAfterWait(step);
    const selecting = this.selector.select(this.scope);
    if (!(selecting instanceof Promise)) return selecting;
    const sinceMs = this.tools.clock.now();
    return selecting.finally(() => (this.queuedMs += this.tools.clock.now() - sinceMs));
  }

  private async selectAfterWait({ targets, waitMs }: NextStep & { kind: 'retry' }): Promise<Selection | NoSelection> {
    await this.scope.sleep(waitMs);
    const usable = targets.filter((target) => this.eligibility.isUsable(target));
    return this.selector.acquireOne(usable) ?? this.select({ kind: 'choose' });
  }

  private attempt(selection: Selection): Promise<AttemptEnd> {
    const { target } = selection;
    this.plan.begin(target);
    this.asked = target.state.target;
    if (this.failed !== null) this.failed.movedTo = target.state.name;
    const { clock } = this.tools;
    const startedMs = clock.now();
    const pace = new ChunkPace(clock);
    const number = this.plan.attempts;
    const observer = this.order.observer?.attemptBegins(target.state.target, number) ?? null;
    return runAttempt({
      request: this.order.request,
      number,
      headers: observer?.headers,
      target,
      isLast: !this.hasOther(target),
      relay: this.relay,
      scope: this.scope,
      onAnswer: () => {
        pace.count();
        this.ttftMs ??= this.elapsedMs();
      },
      onEnd: (end) => {
        this.release(selection.slot, end);
        if (!('answer' in end) && this.relay?.isForwarding) this.forwarded = end.usage;
        const record = toRecord(target, end, clock.now() - startedMs, pace.gapMs);
        this.attempts.push(record);
        if ('answer' in end) {
          const firstMs = pace.firstAtMs;
          target.state.recent.answered(record.durationMs, firstMs === null ? null : firstMs - startedMs);
        } else if ('failure' in end) this.remember(target.state, end.failure, record.durationMs);
        observer?.ended(record, 'failure' in end ? end.failure : null);
      },
    });
  }

  private remember({ recent, breaker }: TargetState, failure: TargetFailure, durationMs: number): void {
    this.failed = {
      atMs: this.tools.clock.now(),
      route: this.order.route.id,
      rid: this.order.request.rid,
      number: this.plan.attempts,
      reason: failure.reason,
      upstreamStatus: failure.upstreamStatus ?? null,
      durationMs,
      isForwarded: this.relay?.isForwarding ?? false,
      breaker: breaker.state,
      movedTo: null,
    };
    recent.failedWith(this.failed);
  }

  private release(slot: Slot, end: AttemptEnd): void {
    if ('answer' in end) slot.succeed();
    else if ('failure' in end) {
      slot.fail(end.failure);
      this.failures.push(end.failure);
    } else slot.release();
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
  }: CompleteAnswer): Promise<AnswerOutcome> {
    this.ttftMs ??= this.elapsedMs();
    const outcome = this.outcome('ok', null, { usage, oddities, finishReasons, tokens });
    const rest = this.relay?.restOf(bytes) ?? bytes;
    try {
      await this.sink.settle(outcome, rest);
    } catch {
      return this.fail(ownFailure('metering_unavailable', 'Usage cannot be recorded at the moment.', 1_000));
    }
    if (this.relay !== null) this.relay.end(rest);
    else {
      this.sink.commit(Object.assign(wholeHeaders(rest.length), this.targetHeaders()));
      this.sink.end(rest);
    }
    outcome.isCommitted = true;
    outcome.durationMs = this.elapsedMs();
    return outcome;
  }

  private aborted(): AnswerOutcome {
    switch (this.scope.reason) {
      case 'timeout':
        return this.fail(ownFailure('upstream_timeout', 'The request took too long.'));
      case 'shutdown':
        return this.fail({
          ...ownFailure('overloaded', 'The server is shutting down.', 1_000),
          streamCode: 'server_shutdown',
        });
      case 'left':
      case 'stuck':
      case null:
        return this.outcome('aborted', null);
    }
  }

  private fail(failure: AnswerFailure): AnswerOutcome {
    const { relay } = this;
    const shown = relay?.isForwarding ? { ...failure, code: failure.streamCode } : failure;
    if (relay?.isCommitted) relay.fail(failureFrame(shown));
    return this.outcome('failed', shown);
  }

  private summary(): AnswerFailure {
    const { limits } = this.order.route;
    return summariseFailures(this.failures, Math.max(healthyInMs(this.order.route), limits.backoffMs));
  }

  private unselected(reason: NoSelection): AnswerFailure {
    if (reason === 'queue_full' && !this.failures.some(isUpstreamFault)) {
      return ownFailure('overloaded', 'All targets of the model are busy.', 1_000);
    }
    if (this.failures.length > 0) return this.summary();
    if (reason === 'no_candidate') {
      return ownFailure('unsupported_parameter', 'No target of the model can honour the request.');
    }
    const retryAfterMs = healthyInMs(this.order.route);
    return ownFailure('no_healthy_target', 'No target of the model is healthy.', retryAfterMs);
  }

  private outcome(
    status: AnswerOutcome['status'],
    failure: AnswerFailure | null,
    answer: Pick<AnswerOutcome, 'usage' | 'oddities' | 'finishReasons' | 'tokens'> = {
      usage: this.forwarded,
      oddities: NONE,
      finishReasons: NONE,
    },
  ): Unsettled {
    return {
      status,
      failure,
      isCommitted: this.relay?.isCommitted ?? false,
      attempts: this.attempts,
      usage: answer.usage,
      oddities: answer.oddities,
      finishReasons: answer.finishReasons,
      tokens: answer.tokens ?? null,
      ttftMs: this.ttftMs,
      queuedMs: this.queuedMs,
      durationMs: this.elapsedMs(),
    };
  }

  private targetHeaders(): Record<string, string> {
    return targetHeaders(this.asked as Target, this.attempts.length);
  }

  private elapsedMs(): number {
    return this.tools.clock.now() - this.startedMs;
  }
}

/** An outcome whose last facts are known when it is sent. */
type Unsettled = { -readonly [Fact in keyof AnswerOutcome]: AnswerOutcome[Fact] };

const NONE: readonly never[] = [];

const wholeHeaders = (bytes: number): Record<string, string> => ({
  'content-type': 'application/json',
  'content-length': String(bytes),
  'cache-control': 'no-store',
});

function toRecord(
  { state }: RouteTarget,
  end: AttemptEnd,
  durationMs: number,
  chunkGapMs: number | null,
): AttemptRecord {
  const { pinned, model } = state.target;
  return {
    target: state.name,
    answeredAs: pinned?.name ?? model,
    outcome: 'answer' in end ? 'ok' : 'failure' in end ? end.failure.reason : 'stopped',
    usage: 'answer' in end ? end.answer.usage : end.usage,
    malformedFrames: end.malformedFrames,
    durationMs,
    chunkGapMs,
  };
}
