import type { Clock } from '../shared/time/clock.js';
import type { CompleteAnswer, TokenUsage } from '../targets/target.js';
import type { TargetFailure } from '../targets/target-failure.js';
import { type AnswerFailure, isUpstreamFault, ownFailure, summariseFailures } from './answer/answer-failure.js';
import type { AnswerOutcome, AttemptRecord } from './answer/outcome.js';
import type { FailedAttempt } from './health/recent-attempts.js';
import type { TargetState } from './health/target-state.js';
import { healthyInMs, partOf, type Route, type RouteTarget } from './route/route.js';
import type { NoSelection } from './selection/target-selector.js';

/** How an attempt ended: with an answer, a failure, or because the request was aborted. */
export type AttemptEnd = AttemptVerdict & { readonly malformedFrames: number };

type AttemptVerdict =
  | { readonly answer: CompleteAnswer }
  | { readonly failure: TargetFailure; readonly usage: TokenUsage | null }
  | { readonly isAborted: true; readonly usage: TokenUsage | null };

/** What a complete answer is, beside its bytes. */
type AnswerFacts = Pick<AnswerOutcome, 'usage' | 'oddities' | 'finishReasons' | 'tokens' | 'warnings' | 'toKept'>;

/** An outcome whose last facts are known when it is sent. */
type Unsettled = { -readonly [Fact in keyof AnswerOutcome]: AnswerOutcome[Fact] };

const NONE: readonly never[] = [];

/** The times of one attempt. A chunk of its answer costs one addition. */
export class AttemptTimes {
  private readonly startedMs: number;
  private chunks = 0;
  private firstMs = 0;

  constructor(private readonly clock: Clock) {
    this.startedMs = clock.now();
  }

  /** A chunk with a part of the answer has come. */
  count(): void {
    if (this.chunks++ === 0) this.firstMs = this.clock.now();
  }

  get durationMs(): number {
    return this.clock.now() - this.startedMs;
  }

  /** From the start to the first chunk; null: none has come. */
  get firstTokenMs(): number | null {
    return this.chunks === 0 ? null : this.firstMs - this.startedMs;
  }

  /** Mean gap between chunks up to now, which counts as the last chunk; null: there were fewer than two before it. */
  get gapMs(): number | null {
    return this.chunks < 2 ? null : (this.clock.now() - this.firstMs) / this.chunks;
  }
}

/** What has happened to a request so far: its outcome, and the failure that its caller gets, are made of it. */
export class RequestHistory {
  readonly attempts: AttemptRecord[] = [];
  private readonly startedMs: number;
  private readonly failures: TargetFailure[] = [];
  /** Of an attempt that was not completed, and of which the caller has a part. */
  private forwarded: TokenUsage | null = null;
  /** The last attempt, if it failed. */
  private failed: FailedAttempt | null = null;
  private ttftMs: number | null = null;
  private queuedMs = 0;

  constructor(
    private readonly route: Route,
    private readonly rid: string,
    private readonly clock: Clock,
  ) {
    this.startedMs = clock.now();
  }

  /** Counts the time that `selecting` takes. */
  queued<T>(selecting: Promise<T>): Promise<T> {
    const sinceMs = this.clock.now();
    return selecting.finally(() => (this.queuedMs += this.clock.now() - sinceMs));
  }

  begin({ name }: TargetState): void {
    if (this.failed !== null) this.failed.movedTo = name;
  }

  /** A part of an answer has come. */
  answered(): void {
    this.ttftMs ??= this.elapsedMs();
  }

  /** @param isForwarding the caller has a part of the answer */
  end(target: RouteTarget, end: AttemptEnd, times: AttemptTimes, isForwarding: boolean): AttemptRecord {
    const { state } = target;
    const route = partOf(this.route, target).id;
    if (!('answer' in end) && isForwarding) this.forwarded = end.usage;
    const record = toRecord(state, route, end, times);
    this.attempts.push(record);
    if ('answer' in end) state.recent.answered(record.durationMs, times.firstTokenMs);
    else if ('failure' in end) this.fail(state, end.failure, record, isForwarding);
    return record;
  }

  /** Of all attempts that failed. */
  summary(): AnswerFailure {
    return summariseFailures(this.failures, Math.max(healthyInMs(this.route), this.route.limits.backoffMs));
  }

  /** The failure of a request for which no target was selected. */
  unselected(reason: NoSelection): AnswerFailure {
    if (reason === 'queue_full' && !this.failures.some(isUpstreamFault)) {
      return ownFailure('overloaded', 'All targets of the model are busy.', 1_000);
    }
    if (this.failures.length > 0) return this.summary();
    if (reason === 'no_candidate') {
      return ownFailure('unsupported_parameter', 'No target of the model can honour the request.');
    }
    return ownFailure('no_healthy_target', 'No target of the model is healthy.', healthyInMs(this.route));
  }

  outcome(
    { status, failure, isCommitted }: Pick<AnswerOutcome, 'status' | 'failure' | 'isCommitted'>,
    answer: AnswerFacts = { usage: this.forwarded, oddities: NONE, finishReasons: NONE },
  ): Unsettled {
    return {
      status,
      failure,
      isCommitted,
      attempts: this.attempts,
      usage: answer.usage,
      oddities: answer.oddities,
      finishReasons: answer.finishReasons,
      tokens: answer.tokens ?? null,
      warnings: answer.warnings,
      toKept: answer.toKept,
      ttftMs: this.ttftMs,
      queuedMs: this.queuedMs,
      durationMs: this.elapsedMs(),
    };
  }

  elapsedMs(): number {
    return this.clock.now() - this.startedMs;
  }

  private fail(
    { recent, breaker }: TargetState,
    failure: TargetFailure,
    { route, durationMs }: AttemptRecord,
    isForwarded: boolean,
  ): void {
    this.failures.push(failure);
    this.failed = {
      atMs: this.clock.now(),
      route,
      rid: this.rid,
      number: this.attempts.length,
      reason: failure.reason,
      upstreamStatus: failure.upstreamStatus ?? null,
      durationMs,
      isForwarded,
      breaker: breaker.state,
      movedTo: null,
    };
    recent.failedWith(this.failed);
  }
}

function toRecord(
  { name, target }: TargetState,
  route: string,
  end: AttemptEnd,
  { durationMs, gapMs }: AttemptTimes,
): AttemptRecord {
  return {
    target: name,
    route,
    answeredAs: target.pinned?.name ?? target.model,
    outcome: 'answer' in end ? 'ok' : 'failure' in end ? end.failure.reason : 'stopped',
    usage: 'answer' in end ? end.answer.usage : end.usage,
    malformedFrames: end.malformedFrames,
    durationMs,
    chunkGapMs: gapMs,
  };
}
