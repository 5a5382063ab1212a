import type { Clock, Timer } from '../shared/time/clock.js';
import { IdleTimer } from '../shared/time/idle-timer.js';
import type { AnswerFailure } from './answer/answer-failure.js';
import type { AnswerSink } from './answer/answer-sink.js';
import type { Limits } from './policy/limits.js';
import type { StreamGuard } from './route/route.js';

/** Most bytes that passthrough holds before the first answer frame. */
const MAX_EARLY_BYTES = 8 * 1_048_576;
const COMMENT = Buffer.from(': wait\n\n');
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};
/** Of a stream that has no frames. */
const bytesHeaders = (type: string): Record<string, string> => ({ ...STREAM_HEADERS, 'content-type': type });

/** The attempt whose frames the relay gets. */
export interface RelaySource {
  /** Headers that say which target answers. */
  readonly headers: Readonly<Record<string, string>>;
  pause(): void;
  resume(): void;
}

/**
 * Relays the frames of a stream's attempts to the caller. Until the commit point it holds them, so that a failed
 * attempt leaves no trace; after it, it forwards them with backpressure.
 */
export class StreamRelay {
  /** Headers went out. */
  isCommitted = false;
  /** Bytes of an answer were forwarded: no other attempt may follow. */
  isForwarding = false;

  private held: Buffer[] = [];
  private heldBytes = 0;
  private source: RelaySource | null = null;
  private keepalive: Timer | null = null;
  private readonly stall: IdleTimer;
  private isFull = false;
  /** Of bytes that are no frames. Undefined: they are. */
  private contentType: string | undefined;

  /** @param onStuck the caller has read nothing for `writeStallMs` */
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

  /** An attempt begins; frames of an earlier one are dropped. */
  begin(source: RelaySource): void {
    this.source = source;
    this.held = [];
    this.heldBytes = 0;
  }

  /** @returns false when the attempt sent more than may be held */
  frames(bytes: Buffer, hasAnswer: boolean, contentType?: string): boolean {
    this.contentType = contentType;
    if (this.isForwarding) this.write(bytes);
    else {
      this.held.push(bytes);
      this.heldBytes += bytes.length;
      if (this.guard === 'passthrough' ? hasAnswer : this.heldBytes >= this.limits.bufferMaxBytes) this.forward();
    }
    return this.heldBytes <= Math.max(MAX_EARLY_BYTES, this.limits.bufferMaxBytes);
  }

  /** All that is left to write of an answer. @param bytes its last ones */
  restOf(bytes: Buffer): Buffer {
    return this.held.length === 0 ? bytes : Buffer.concat([...this.held, bytes]);
  }

  /** @param rest of a whole answer, see {@link restOf} */
  end(rest: Buffer, contentType?: string): void {
    this.contentType = contentType;
    this.commit();
    this.sink.end(rest);
    this.close();
  }

  /** For a caller who has headers already. */
  fail(failure: AnswerFailure): void {
    this.sink.fail(failure);
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
    const { contentType, source } = this;
    this.sink.commit({
      ...(contentType === undefined ? STREAM_HEADERS : bytesHeaders(contentType)),
      ...source?.headers,
    });
  }

  private write(bytes: Buffer): void {
    if (this.sink.write(bytes) || this.isFull) return;
    this.isFull = true;
    this.source?.pause();
    this.watchPending(this.sink.pendingBytes);
  }

  /** Any byte that the caller reads restarts the limit, not only the last of those that are pending. */
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

  /** Comments show the caller of a buffered stream that the connection is alive; no target has answered yet. */
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
