import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';

import type { JobFeed, JobState } from './job-feed.js';
import { eventFrame, OVER_FRAME, PING_FRAME, statusFrame } from './sse-frame.js';
import type { StreamTimes } from './stream-times.js';

/**
 * One client that follows a job as `text/event-stream`: every event after its cursor in order and once, and the
 * status whenever it changed. It ends after the last event, when the client disconnects, or by {@link stop}; a client
 * that comes again with the id of the last event it saw misses nothing.
 */
export class EventStream {
  private readonly out = new PassThrough();
  private wake: (() => void) | null = null;
  private isAwake = false;
  private lastState: JobState | null = null;

  /** @param seq of the last event that the client has seen; -1: none */
  constructor(
    private seq: number,
    private readonly times: StreamTimes,
  ) {
    this.out.on('close', () => this.rouse());
    this.out.on('error', () => undefined); // the client went away
  }

  get body(): Readable {
    return this.out;
  }

  /** Ends the stream; what is written already still leaves. */
  stop(): void {
    if (!this.out.writableEnded) this.out.end();
    this.rouse();
  }

  /** The last event was sent. */
  endAtOnce(): void {
    this.out.end(OVER_FRAME);
  }

  /** Writes until the end. Never throws: a client whose stream ends too early resumes it. */
  async run(feed: JobFeed): Promise<void> {
    const unwatch = feed.watch(() => this.rouse());
    const ping = setInterval(() => this.ping(), this.times.pingMs).unref();
    const end = setTimeout(() => this.stop(), this.times.maxMs).unref();
    try {
      while (this.isOpen && !feed.isOverAfter(this.seq)) await this.send(feed);
    } catch {
      // The database is unavailable.
    } finally {
      unwatch();
      clearInterval(ping);
      clearTimeout(end);
      this.stop();
    }
  }

  private get isOpen(): boolean {
    return !this.out.destroyed && !this.out.writableEnded;
  }

  /** Sends what is new; when there is nothing, waits until there may be. */
  private async send(feed: JobFeed): Promise<void> {
    this.isAwake = false;
    if (this.lastState !== feed.state) {
      this.lastState = feed.state;
      await this.write(statusFrame(feed.state));
    }
    const events = await feed.readAfter(this.seq);
    for (const event of events) {
      if (!this.isOpen) return;
      await this.write(eventFrame(event));
      this.seq = event.seq;
    }
    if (events.length === 0) await this.asleep();
  }

  /** Resolves when the client accepts more bytes, or has disconnected. */
  private async write(text: string): Promise<void> {
    if (!this.isOpen || this.out.write(text)) return;
    const gone = new AbortController();
    await Promise.race([
      once(this.out, 'drain', { signal: gone.signal }),
      once(this.out, 'close', { signal: gone.signal }),
    ]).finally(() => gone.abort());
  }

  private ping(): void {
    if (this.isOpen && !this.out.writableNeedDrain) this.out.write(PING_FRAME);
  }

  private rouse(): void {
    this.isAwake = true;
    this.wake?.();
  }

  private async asleep(): Promise<void> {
    if (this.isAwake) return;
    await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = null;
  }
}
