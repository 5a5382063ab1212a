import { Injectable } from '@nestjs/common';

import type { AnswerOutcome, AttemptRecord } from '../../dispatch/answer/outcome.js';
import { MetricRegistry } from '../../shared/metrics/metric-registry.js';
import { abortWindowOf, lastTargetOf, transitionsOf } from '../request/attempt-history.js';
import type { ObservedRequest } from '../request/observed-request.js';

const TTFT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const GAP_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15];
const QUEUE_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DURATION_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Metrics of chat completions. Each request is counted once, when it has ended. */
@Injectable()
export class RequestMetrics {
  private inFlight = 0;
  private readonly requests;
  private readonly duration;
  private readonly ttft;
  private readonly queue;
  private readonly tokens;
  private readonly aborts;
  private readonly attempts;
  private readonly chunkGap;
  private readonly retries;
  private readonly failovers;
  private readonly malformed;
  private readonly damaged;
  private readonly odd;

  constructor(registry: MetricRegistry) {
    const perTarget = ['route', 'target'] as const;
    const help = 'Chat completions that run, from their head to their end.';
    registry.observed('requests_in_flight', help, [], (gauge) => gauge.set(this.inFlight));
    this.requests = registry.counter('requests_total', 'Chat completions that have ended.', [
      ...perTarget,
      'status',
      'result',
    ]);
    this.duration = registry.histogram('request_seconds', 'Whole requests.', ['route', 'result'], DURATION_BUCKETS);
    this.ttft = registry.histogram('ttft_seconds', 'Start to first token of streams.', perTarget, TTFT_BUCKETS);
    this.queue = registry.histogram('queue_seconds', 'Waits in queues for slots of targets.', ['route'], QUEUE_BUCKETS);
    this.tokens = registry.counter('tokens_total', 'Tokens of answers, or of what was sent of them.', [
      ...perTarget,
      'kind',
    ]);
    this.aborts = registry.counter('aborts_total', 'Callers who left, by the state of their request.', ['window']);
    this.attempts = registry.counter('attempts_total', 'Attempts that have ended.', ['target', 'outcome']);
    this.chunkGap = registry.histogram('chunk_gap_seconds', 'Mean gap of each stream.', ['target'], GAP_BUCKETS);
    this.retries = registry.counter('retries_total', 'Retries on the same target.', ['target', 'reason']);
    this.failovers = registry.counter('failovers_total', 'Fail-overs from this target to another.', [
      'target',
      'reason',
    ]);
    this.malformed = registry.counter('malformed_frames_total', 'Malformed frames, left out.', ['target']);
    this.damaged = registry.counter('damaged_frames_total', 'Streams aborted because text was lost.', ['target']);
    this.odd = registry.counter('odd_answers_total', 'Whole answers with a flaw of form.', ['target', 'oddity']);
  }

  begin(): void {
    this.inFlight++;
  }

  end(request: ObservedRequest): void {
    const { route, result, outcome, status, durationMs } = request;
    const target = lastTargetOf(request);
    this.inFlight--;
    this.requests.add(1, route, target, String(status), result);
    this.duration.observe(durationMs / 1_000, route, result);
    if (result === 'aborted') this.aborts.add(1, abortWindowOf(outcome));
    if (outcome === null) return;
    this.queue.observe(outcome.queuedMs / 1_000, route);
    if (request.isStream && outcome.ttftMs !== null) this.ttft.observe(outcome.ttftMs / 1_000, route, target);
    for (const oddity of outcome.oddities) this.odd.add(1, target, oddity);
    this.countTokens(route, target, outcome);
    this.countAttempts(outcome.attempts);
  }

  private countTokens(route: string, target: string, { usage, status }: AnswerOutcome): void {
    if (usage === null || status === 'failed') return;
    const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = usage;
    const add = (kind: string, count: number) => count > 0 && this.tokens.add(count, route, target, kind);
    add('prompt', promptTokens);
    add('cached', cachedTokens);
    add('completion', completionTokens);
    add('reasoning', reasoningTokens);
  }

  private countAttempts(attempts: readonly AttemptRecord[]): void {
    for (const attempt of attempts) {
      const { target, outcome, chunkGapMs, malformedFrames } = attempt;
      this.attempts.add(1, target, outcome);
      if (chunkGapMs !== null) this.chunkGap.observe(chunkGapMs / 1_000, target);
      if (malformedFrames > 0) this.malformed.add(malformedFrames, target);
      if (outcome === 'damaged') this.damaged.add(1, target);
    }
    if (attempts.length < 2) return;
    for (const { kind, from } of transitionsOf(attempts)) {
      const counter = kind === 'retry' ? this.retries : this.failovers;
      counter.add(1, from.target, from.outcome);
    }
  }
}
