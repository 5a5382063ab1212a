import type { FailureReason } from '../../../shared/failure-reason.js';
import { FrameSplitter } from '../../../wire/sse/frame-splitter.js';
import { endOfFrame, readFrame, type SseFrame } from '../../../wire/sse/sse-frame.js';
import type { TargetFailure } from '../../target-failure.js';

/** Result of reading some bytes of a stream. */
export interface StreamProgress {
  /** Complete frames for the caller; null: none. */
  readonly frames: Buffer | null;
  /** At least one frame has text, a call or the end of a choice. */
  readonly hasAnswer: boolean;
  /** The answer went on; comments and other frames without a part of it do not count. */
  readonly hasAdvanced: boolean;
  readonly failure: TargetFailure | null;
}

const MAX_FRAME_BYTES = 4 * 1_048_576;
const LARGE_FRAME_BYTES = 4_096;
const MAX_DONE_BYTES = 16;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const BLANK_LINE = Buffer.from('\n\n');

/** Reads server-sent events as their bytes come, until the first failure or the end. What they say is for the subclasses. */
export abstract class FramedStream {
  /** Dropped frames: they were no part of an answer. */
  malformedFrames = 0;
  /** The upstream has said that nothing follows; the rest is not read. */
  isDone = false;
  protected readonly splitter = new FrameSplitter();
  protected lineEnd = '\n';
  protected out: Buffer[] = [];
  protected hasAnswer = false;
  protected hasAdvanced = false;
  protected failure: TargetFailure | null = null;
  /** The first frame was read. */
  private hasRead = false;

  /** The answer has ended; only what follows an end may come. */
  abstract get isFinished(): boolean;

  push(chunk: Buffer): StreamProgress {
    this.readFrames(this.splitter.push(chunk));
    const { waitingBytes } = this.splitter;
    if (waitingBytes > MAX_FRAME_BYTES) this.failOversized();
    // A large frame advances the answer before it is complete; a small one may be a comment.
    else if (waitingBytes > LARGE_FRAME_BYTES) this.hasAdvanced = true;
    return this.takeProgress();
  }

  /** The body has ended. The last frame is valid without its blank line. */
  end(): StreamProgress {
    const last = this.splitter.take();
    if (last.length > 0) this.readFrames(Buffer.concat([last, BLANK_LINE]));
    if (!this.isFinished) this.failUnfinished();
    return this.takeProgress();
  }

  /** @param data of the frame, which is no `[DONE]` */
  protected abstract readEvent(frame: SseFrame, data: Buffer): void;

  /** The answer ended before it was whole. */
  protected failUnfinished(): void {
    this.fail('interrupted', 'The answer ended before it was finished.');
  }

  /** Fast path. @returns where the frame at `at` ends, if it needs no reading; null: it does */
  protected passFrame(_bytes: Buffer, _at: number): number | null {
    return null;
  }

  /** The first failure is reported. */
  protected fail(reason: FailureReason, message: string): void {
    this.failure ??= { reason, message };
  }

  private takeProgress(): StreamProgress {
    const { out, hasAnswer, hasAdvanced, failure } = this;
    this.out = [];
    this.hasAnswer = false;
    this.hasAdvanced = false;
    const frames = out.length === 0 ? null : out.length === 1 ? (out[0] as Buffer) : Buffer.concat(out);
    return { frames, hasAnswer, hasAdvanced, failure };
  }

  private readFrames(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && this.failure === null && !this.isDone) {
      const passed = this.passFrame(bytes, at);
      const end = passed ?? endOfFrame(bytes, at);
      if (end < 0) return this.splitter.keep(bytes.subarray(at));
      if (passed === null) {
        if (end - at > MAX_FRAME_BYTES) this.failOversized();
        else this.readFrame(readFrame(bytes.subarray(at + this.markBytes(bytes, at), end)));
      }
      at = end;
    }
  }

  private readFrame(frame: SseFrame): void {
    const { data, raw } = frame;
    if (data === null) return;
    if (raw.at(-2) === 0x0d) this.lineEnd = '\r\n';
    if (data.length < MAX_DONE_BYTES && data.toString().trim() === '[DONE]') {
      this.isDone = true;
      if (!this.isFinished) this.failUnfinished();
    } else this.readEvent(frame, data);
  }

  /** Length of the byte order mark that some servers write before the first frame: it is no part of the frame. */
  private markBytes(bytes: Buffer, at: number): number {
    if (this.hasRead) return 0;
    this.hasRead = true;
    const isMarked = bytes.subarray(at, at + BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    return isMarked ? BYTE_ORDER_MARK.length : 0;
  }

  private failOversized(): void {
    this.fail('oversized', 'The upstream sent a frame that is too large.');
  }
}
