import type { AnswerReader, CompleteAnswer, RunningAttempt, TokenUsage } from '../target.js';
import type { TargetFailure } from '../target-failure.js';
import { AdapterError } from './adapter.errors.js';
import type { Adapter } from './adapter.js';
import type { AdapterPool, AdapterUse } from './adapter-pool.js';

export interface AdapterDispatch {
  readonly adapter: Adapter;
  readonly pool: AdapterPool;
  /** Sends the request to the server, which has the adapter. */
  send(reader: AnswerReader): RunningAttempt;
  /** Usage of an attempt that was not sent. */
  nothing(): TokenUsage;
}

/**
 * An attempt under an adapter's name: loads the adapter first if need be, and once more when the server has lost it. The
 * caller sees neither, because a server that lost an adapter answers 404 before anything else.
 */
export class AdapterAttempt implements RunningAttempt, AnswerReader {
  private running: RunningAttempt | null = null;
  private use: AdapterUse | null = null;
  private isOver = false;
  private isPaused = false;
  private hasReloaded = false;

  constructor(
    private readonly dispatch: AdapterDispatch,
    private readonly reader: AnswerReader,
  ) {}

  start(): void {
    const { pool, adapter } = this.dispatch;
    const use = pool.tryUse(adapter);
    if (use !== null) this.send(use);
    else void this.loadAndSend();
  }

  pause(): void {
    this.isPaused = true;
    this.running?.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.running?.resume();
  }

  abort(): void {
    this.running?.abort();
    this.end();
  }

  produced(): TokenUsage {
    return this.running?.produced() ?? this.dispatch.nothing();
  }

  get malformedFrames(): number {
    return this.running?.malformedFrames ?? 0;
  }

  onFrames(bytes: Buffer, hasAnswer: boolean): void {
    this.reader.onFrames(bytes, hasAnswer);
  }

  onComplete(answer: CompleteAnswer): void {
    this.end();
    this.reader.onComplete(answer);
  }

  onFailure(failure: TargetFailure): void {
    const isLost = failure.reason === 'no_model';
    const use = this.use;
    this.use = null;
    if (isLost) use?.reportLost();
    use?.leave();
    if (isLost && !this.hasReloaded) {
      this.hasReloaded = true;
      void this.loadAndSend();
      return;
    }
    // The server itself is not out: it lacks this adapter only.
    this.fail(isLost ? { ...failure, reason: 'not_loaded' } : failure);
  }

  private async loadAndSend(): Promise<void> {
    try {
      const use = await this.dispatch.pool.use(this.dispatch.adapter);
      if (this.isOver) use.leave();
      else this.send(use);
    } catch (error) {
      const message = 'The adapter could not be loaded.';
      this.fail(error instanceof AdapterError ? error.failure : { reason: 'not_loaded', message });
    }
  }

  private send(use: AdapterUse): void {
    this.use = use;
    this.running = this.dispatch.send(this);
    if (this.isPaused) this.running.pause();
  }

  private fail(failure: TargetFailure): void {
    if (this.isOver) return;
    this.end();
    this.reader.onFailure(failure);
  }

  private end(): void {
    this.isOver = true;
    this.use?.leave();
    this.use = null;
  }
}
