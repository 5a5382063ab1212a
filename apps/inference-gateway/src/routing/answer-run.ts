import type { CompleteAnswer, Target, TokenUsage } from '../upstreams/target.js';
import type { TargetFailure } from '../upstreams/target-failure.js';

import { type AnswerFailure, failureFrame, ownFailure, tellFailures } from './answer-failure.js';
import { targetHeaders } from './answer-headers.js';
import type { AnswerOrder, AnswerTools } from './answer-request.js';
import type { AnswerOutcome, AnswerSink, AttemptRecord } from './answer-sink.js';
import { type AttemptEnd, runAttempt } from './attempt-run.js';
import { ChunkPace } from './chunk-pace.js';
import { AttemptPlan, type NextStep } from './attempt-plan.js';
import { Eligibility } from './eligibility.js';
import { FAULTS } from './faults.js';
import { type NoPlace, type Place, PlaceFinder } from './place-finder.js';
import type { RouteTarget } from './route.js';
import { healthyInMs } from './route-health.js';
import { Stopper } from './stopper.js';
import { StreamRelay } from './stream-relay.js';
import type { Lease } from './target-state.js';

/** One request on its way through its route's targets. */
export class AnswerRun {
  private readonly startedMs: number;
  private readonly eligibility: Eligibility;
  private readonly finder: PlaceFinder;
  private readonly plan: AttemptPlan;
  private readonly stopper: Stopper;
  /** Null: the answer is one body, which is never sent in part. */
  private readonly relay: StreamRelay | null;
  private readonly attempts: AttemptRecord[] = [];
  private readonly failures: TargetFailure[] = [];
  /** By the last attempt. */
  private asked: Target | null = null;
  private forwarded: TokenUsage | null = null;
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
    this.finder = new PlaceFinder(route, this.eligibility, priority, clock, random);
    this.plan = new AttemptPlan(route, this.eligibility, random);
    this.stopper = new Stopper(signal, route.limits.totalMs, clock);
    const onStuck = () => this.stopper.stop('stuck');
    this.relay = request.isStream ? new StreamRelay(sink, guard, route.limits, clock, onStuck) : null;
  }

  /** Tries targets until one has answered, or none is left. */
  async run(): Promise<AnswerOutcome> {
    try {
      let step: NextStep = { kind: 'choose' };
      while (step.kind !== 'stop' && !this.stopper.isStopped) {
        const found = this.nextPlace(step);
        const place = found instanceof Promise ? await found : found;
        if (this.stopper.isStopped) {
          if (typeof place !== 'string') place.lease.release();
          break;
        }
        if (typeof place === 'string') return this.fail(this.withoutPlace(place));
        const end = await this.tryAt(place);
        if ('answer' in end) return await this.finish(end.answer);
        if ('failure' in end) {
          if (this.relay?.isForwarding) return this.fail(this.told());
          step = this.plan.afterFailure(place.target, place.lease, end.failure);
        }
      }
      return this.stopper.isStopped ? this.stopped() : this.fail(this.told());
    } finally {
      this.stopper.close();
      this.relay?.close();
    }
  }

  private nextPlace(step: NextStep): Place | Promise<Place | NoPlace> {
    if (step.kind === 'retry') return this.placeAfterWait(step);
    const found = this.finder.find(this.stopper);
    if (!(found instanceof Promise)) return found;
    const sinceMs = this.tools.clock.now();
    return found.finally(() => (this.queuedMs += this.tools.clock.now() - sinceMs));
  }

  private async placeAfterWait({ targets, waitMs }: NextStep & { kind: 'retry' }): Promise<Place | NoPlace> {
    await this.stopper.sleep(waitMs);
    const usable = targets.filter((target) => this.eligibility.isUsable(target));
    return this.finder.takeOne(usable) ?? this.nextPlace({ kind: 'choose' });
  }

  private tryAt(place: Place): Promise<AttemptEnd> {
    const { target } = place;
    this.plan.begin(target);
    this.asked = target.state.target;
    const { clock } = this.tools;
    const startedMs = clock.now();
    const pace = new ChunkPace(clock);
    const number = this.plan.attempts;
    const watch = this.order.watch?.attemptBegins(target.state.target, number) ?? null;
    return runAttempt({
      request: this.order.request,
      number,
      headers: watch?.headers,
      place,
      isLast: !this.hasOther(place),
      relay: this.relay,
      stopper: this.stopper,
      onAnswer: () => {
        pace.count();
        this.ttftMs ??= this.elapsedMs();
      },
      onEnd: (end) => {
        this.release(place.lease, end);
        if (!('answer' in end) && this.relay?.isForwarding) this.forwarded = end.usage;
        const record = toRecord(target, end, clock.now() - startedMs, pace.gapMs);
        this.attempts.push(record);
        watch?.ended(record, 'failure' in end ? end.failure : null);
      },
    });
  }

  private release(lease: Lease, end: AttemptEnd): void {
    if ('answer' in end) lease.succeed();
    else if ('failure' in end) {
      lease.fail(end.failure);
      this.failures.push(end.failure);
    } else lease.release();
  }

  /** Another target could be asked if this one says nothing. */
  private hasOther({ target }: Place): boolean {
    return this.order.route.tiers.some(({ targets }) =>
      targets.some((other) => other !== target && this.eligibility.isUsable(other)),
    );
  }

  private async finish({ bytes, usage, oddities, finishReasons = [] }: CompleteAnswer): Promise<AnswerOutcome> {
    this.ttftMs ??= this.elapsedMs();
    const outcome = this.outcome('ok', null, { usage, oddities, finishReasons });
    try {
      await this.sink.settle(outcome);
    } catch {
      return this.fail(ownFailure(503, 'metering_unavailable', 'Usage cannot be recorded at the moment.', 1_000));
    }
    if (this.relay !== null) this.relay.end(bytes);
    else {
      this.sink.commit(Object.assign(wholeHeaders(bytes.length), this.targetHeaders()));
      this.sink.end(bytes);
    }
    outcome.isCommitted = true;
    outcome.durationMs = this.elapsedMs();
    return outcome;
  }

  private stopped(): AnswerOutcome {
    switch (this.stopper.reason) {
      case 'timeout':
        return this.fail(ownFailure(504, 'upstream_timeout', 'The request took too long.'));
      case 'shutdown':
        return this.fail({
          ...ownFailure(503, 'overloaded', 'The server is shutting down.', 1_000),
          streamCode: 'server_shutdown',
        });
      default:
        return this.outcome('aborted', null);
    }
  }

  private fail(failure: AnswerFailure): AnswerOutcome {
    const { relay } = this;
    const told = relay?.isForwarding ? { ...failure, code: failure.streamCode } : failure;
    if (relay?.isCommitted) relay.fail(failureFrame(told));
    return this.outcome('failed', told);
  }

  private told(): AnswerFailure {
    const { limits } = this.order.route;
    return tellFailures(this.failures, Math.max(healthyInMs(this.order.route), limits.backoffMs));
  }

  private withoutPlace(reason: NoPlace): AnswerFailure {
    if (reason === 'queue_full' && !this.hasRealFailure()) {
      return ownFailure(503, 'overloaded', 'All targets of the model are busy.', 1_000);
    }
    if (this.failures.length > 0) return this.told();
    if (reason === 'no_candidate') {
      return ownFailure(422, 'unsupported_parameter', 'No target of the model can honour the request.');
    }
    const retryAfterMs = healthyInMs(this.order.route);
    return ownFailure(503, 'no_healthy_target', 'No target of the model is healthy.', retryAfterMs);
  }

  private hasRealFailure(): boolean {
    return this.failures.some(({ reason }) => FAULTS[reason].health !== 'none');
  }

  private outcome(
    status: AnswerOutcome['status'],
    failure: AnswerFailure | null,
    answer: Pick<AnswerOutcome, 'usage' | 'oddities' | 'finishReasons'> = {
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
      ttftMs: this.ttftMs,
      queuedMs: this.queuedMs,
      durationMs: this.elapsedMs(),
    };
  }

  private targetHeaders(): Record<string, string> {
    return targetHeaders(this.asked as Target, this.order.request.answerModel, this.attempts.length);
  }

  private elapsedMs(): number {
    return this.tools.clock.now() - this.startedMs;
  }
}

/** An outcome whose last facts come when it is sent. */
type Unsettled = { -readonly [Fact in keyof AnswerOutcome]: AnswerOutcome[Fact] };

const NONE: readonly never[] = [];

const wholeHeaders = (bytes: number): Record<string, string> => ({
  'content-type': 'application/json',
  'content-length': String(bytes),
  'cache-control': 'no-store',
});

/** What is known of an attempt once it has ended. */
function toRecord(
  { state }: RouteTarget,
  end: AttemptEnd,
  durationMs: number,
  chunkGapMs: number | null,
): AttemptRecord {
  const outcome = 'answer' in end ? 'ok' : 'failure' in end ? end.failure.reason : 'stopped';
  const usage = 'answer' in end ? end.answer.usage : end.usage;
  const { pinned, model } = state.target;
  const { malformedFrames } = end;
  return {
    target: state.name,
    answeredAs: pinned?.name ?? model,
    outcome,
    usage,
    malformedFrames,
    durationMs,
    chunkGapMs,
  };
}
