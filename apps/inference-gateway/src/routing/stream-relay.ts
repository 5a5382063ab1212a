import type { Clock, Timer } from '../upstreams/clock.js';
import { IdleTimer } from '../upstreams/idle-timer.js';

import type { AnswerSink } from './answer-sink.js';
import type { Limits } from './limits.js';
import type { StreamGuard } from './route.js';

/** What passthrough holds of frames before the first answer. */
const MAX_EARLY_BYTES = 8 * 1_048_576;
const COMMENT = Buffer.from(': wait\n\n');
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** What the relay needs to know of the attempt whose frames it gets. */
export interface RelaySource {
  /** Headers that tell who answers. */
  readonly headers: Readonly<Record<string, string>>;
  pause(): void;
  resume(): void;
}

/**
 * Between a stream's attempts and the caller: holds frames until the commit point, so that an attempt before it can
 * fail without a trace, and passes them on after it, no faster than the caller takes them.
 */
export class StreamRelay {
  /** Headers went out. */
  isCommitted = false;
  /** Bytes of an answer went out: no other attempt may follow. */
  isForwarding = false;

  private held: Buffer[] = [];
  private heldBytes = 0;
  private source: RelaySource | null = null;
  private keepalive: Timer | null = null;
  private readonly stall: IdleTimer;
  private isFull = false;

  /** @param onStuck the caller has taken nothing for too long */
  constructor(
    private readonly sink: AnswerSink,
    private readonly guard: StreamGuard,
    private readonly limits: Limits,
    private readonly clock: Clock,
    private readonly onStuck: () => void,
  ) {
    this.stall = new IdleTimer(clock);
    sink.onDrain(() => this.drained());
    if (guard === 'buffered' && limits.keepaliveMs > 0) this.armKeepalive();
  }

  /** An attempt begins; what an earlier one left is forgotten. */
  begin(source: RelaySource): void {
    this.source = source;
    this.held = [];
    this.heldBytes = 0;
  }

  /** @returns false when more would have to be held than is allowed */
  frames(bytes: Buffer, hasAnswer: boolean): boolean {
    if (this.isForwarding) this.write(bytes);
    else {
      this.held.push(bytes);
      this.heldBytes += bytes.length;
      if (this.guard === 'passthrough' ? hasAnswer : this.heldBytes >= this.limits.bufferMaxBytes) this.forward();
    }
    return this.heldBytes <= Math.max(MAX_EARLY_BYTES, this.limits.bufferMaxBytes);
  }

  /** @param bytes the last of a whole answer */
  end(bytes: Buffer): void {
    this.commit();
    this.sink.end(Buffer.concat([...this.held, bytes]));
    this.close();
  }

  /** @param frame tells a caller who has got headers that there is no answer */
  fail(frame: Buffer): void {
    this.sink.fail(frame);
    this.close();
  }

  close(): void {
    this.keepalive?.cancel();
    this.stall.stop();
    this.source = null;
  }

  private forward(): void {
    this.keepalive?.cancel();
    this.commit();
    this.isForwarding = true;
    const bytes = this.held.length === 1 ? (this.held[0] as Buffer) : Buffer.concat(this.held);
    this.held = [];
    this.heldBytes = 0;
    this.write(bytes);
  }

  private commit(): void {
    if (this.isCommitted) return;
    this.isCommitted = true;
    this.sink.commit({ ...STREAM_HEADERS, ...this.source?.headers });
  }

  private write(bytes: Buffer): void {
    if (this.sink.write(bytes) || this.isFull) return;
    this.isFull = true;
    this.source?.pause();
    this.watchPending(this.sink.pendingBytes);
  }

  /** Any byte that the caller takes counts, not only the last one of what waits. */
  private watchPending(before: number): void {
    this.stall.start(this.limits.writeStallMs, () => {
      const { pendingBytes } = this.sink;
      if (pendingBytes < before) this.watchPending(pendingBytes);
      else this.onStuck();
    });
  }

  private drained(): void {
    if (!this.isFull) return;
    this.isFull = false;
    this.stall.stop();
    this.source?.resume();
  }

  /** Who waits for a held answer sees that the connection is alive. Nobody knows yet who will answer. */
  private armKeepalive(): void {
    this.keepalive = this.clock.after(this.limits.keepaliveMs, () => {
      if (!this.isCommitted) {
        this.isCommitted = true;
        this.sink.commit(STREAM_HEADERS);
      }
      this.sink.write(COMMENT);
      this.armKeepalive();
    });
  }
}
