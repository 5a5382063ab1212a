import type { TokenUsage } from '../../target.js';
import type { FailureReason } from '../../../shared/failure-reason.js';
import type { TargetFailure } from '../../target-failure.js';
import { ChoiceEnds } from './choice-ends.js';
import { type ChunkJson, errorMessage, isObject, readChunk, showsAnswerText } from './chunk-json.js';
import { FrameRewriter } from './frame-rewriter.js';
import { FrameSplitter } from '../../../wire/sse/frame-splitter.js';
import { endOfFrame, readFrame, type SseFrame } from '../../../wire/sse/sse-frame.js';
import { TextTemplates } from './text-templates.js';

/** How the frames of one upstream are read and shown. */
export interface AnswerStreamOptions {
  /** `id` of the answer, as the caller sees it. */
  readonly answerId: string;
  /** `n` of the request. */
  readonly choices: number;
  /** Whether the frame with nothing but the usage is for the caller too. */
  readonly wantsUsageFrame: boolean;
  /** The upstream sends one frame per token, so that a lost one shows in the usage. */
  readonly hasTokenFrames: boolean;
}

/** What came out of some bytes of a stream. */
export interface StreamProgress {
  /** Whole frames for the caller; null: none. */
  readonly frames: Buffer | null;
  /** A frame among them carries text, a call or the end of a choice. */
  readonly hasAnswer: boolean;
  readonly failure: TargetFailure | null;
}

const MAX_FRAME_BYTES = 4 * 1_048_576;
const MAX_DONE_BYTES = 16;
const BLANK_LINE = Buffer.from('\n\n');

/**
 * Reads a stream of chunks as it comes and says what of it may be passed on, whether it is broken, and when it is
 * complete: each choice ended exactly once and no text was lost. The frame that ends the last choice and what follows
 * are held back until {@link takeRest}.
 */
export class AnswerStream {
  /** Frames that were no JSON, or no chunk, and had no text: they were left out. */
  malformedFrames = 0;
  /** Sound frames that carried a token, the ones that finish included. */
  tokenFrames = 0;
  usage: TokenUsage | null = null;
  /** The upstream said `[DONE]`; what follows is not read. */
  isDone = false;
  /** An answer frame has come, passed on or held back. */
  hasStarted = false;

  private readonly splitter = new FrameSplitter();
  private readonly templates = new TextTemplates();
  private readonly rewriter: FrameRewriter;
  private readonly ends: ChoiceEnds;
  private readonly rest: Buffer[] = [];
  private facts = { created: 0, model: '' };
  private hasUsageFrame = false;
  private lineEnd = '\n';
  private out: Buffer[] = [];
  private hasAnswer = false;
  private failure: TargetFailure | null = null;

  constructor(private readonly options: AnswerStreamOptions) {
    this.ends = new ChoiceEnds(options.choices);
    this.rewriter = new FrameRewriter(options.answerId);
  }

  /** All choices have ended; only usage and `[DONE]` may still come. */
  get isFinished(): boolean {
    return this.ends.areAll;
  }

  /** `finish_reason` of the choices that have ended. */
  get finishReasons(): readonly string[] {
    return this.ends.reasons;
  }

  /**
   * Passes a chunk that is one frame of a known form and carries text, as nearly every chunk is.
   *
   * @returns the frame for the caller; null: the chunk is something else, and {@link push} reads it
   */
  passText(chunk: Buffer): Buffer | null {
    if (this.splitter.waitingBytes > 0 || this.failure !== null || this.isDone) return null;
    const frame = this.templates.passWhole(chunk);
    if (frame === null) return null;
    this.tokenFrames++;
    this.hasStarted = true;
    return frame;
  }

  push(chunk: Buffer): StreamProgress {
    this.readFrames(this.splitter.push(chunk));
    if (this.splitter.waitingBytes > MAX_FRAME_BYTES) this.failOversized();
    return this.takeProgress();
  }

  /** The body has ended. A last frame counts without the blank line that should follow it. */
  end(): StreamProgress {
    const last = this.splitter.take();
    if (last.length > 0) this.readFrames(Buffer.concat([last, BLANK_LINE]));
    if (!this.isFinished) this.fail('interrupted', 'The answer ended before it was finished.');
    return this.takeProgress();
  }

  /**
   * The frames that were held back, and `[DONE]`; to be called when the answer has ended: by `[DONE]`, by the end of
   * the body, or by silence after {@link isFinished}.
   *
   * @param usage for a frame of its own, when the caller wants one and the upstream sent none
   */
  takeRest(usage: TokenUsage): Buffer {
    if (this.options.wantsUsageFrame && !this.hasUsageFrame) {
      this.rest.push(this.rewriter.usageFrame(this.facts, usage, this.lineEnd));
    }
    this.rest.push(Buffer.from(`data: [DONE]${this.lineEnd}${this.lineEnd}`));
    return Buffer.concat(this.rest);
  }

  /** A frame was left out, and the upstream counts more tokens than came. Null: none is missing, as far as one can see. */
  missingTokens(): TargetFailure | null {
    if (!this.options.hasTokenFrames || this.malformedFrames === 0 || this.usage === null) return null;
    if (this.tokenFrames >= this.usage.completionTokens) return null;
    return { reason: 'damaged', message: 'A part of the answer was lost on its way from the upstream.' };
  }

  private takeProgress(): StreamProgress {
    const { out, hasAnswer, failure } = this;
    this.out = [];
    this.hasAnswer = false;
    const frames = out.length === 0 ? null : out.length === 1 ? (out[0] as Buffer) : Buffer.concat(out);
    return { frames, hasAnswer, failure };
  }

  private readFrames(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && this.failure === null && !this.isDone) {
      const text = this.templates.pass(bytes, at, this.out);
      const end = text?.end ?? endOfFrame(bytes, at);
      if (end < 0) return this.splitter.keep(bytes.subarray(at));
      if (text !== null) this.countText(!text.isEmpty);
      else if (end - at > MAX_FRAME_BYTES) this.failOversized();
      else this.readFrame(readFrame(bytes.subarray(at, end)));
      at = end;
    }
  }

  private countText(isAnswer: boolean): void {
    this.tokenFrames++;
    this.hasAnswer ||= isAnswer;
    this.hasStarted ||= isAnswer;
  }

  private readFrame(frame: SseFrame): void {
    const { data, raw } = frame;
    if (data === null) return;
    if (raw.at(-2) === 0x0d) this.lineEnd = '\r\n';
    if (data.length < MAX_DONE_BYTES && data.toString().trim() === '[DONE]') {
      this.isDone = true;
      if (!this.isFinished) this.fail('interrupted', 'The answer ended before it was finished.');
      return;
    }
    const json = parse(data);
    if (isObject(json)) this.readObject(frame, json);
    else this.dropBroken(data);
  }

  private readObject(frame: SseFrame, json: Record<string, unknown>): void {
    if (json.error || frame.event === 'error' || json.object === 'error') {
      return this.fail('reported', errorMessage(json.error ?? json));
    }
    const chunk = readChunk(json);
    if (chunk === null) return this.dropBroken(frame.data as Buffer);
    if (typeof json.created === 'number' && typeof json.model === 'string') {
      this.facts = { created: json.created, model: json.model };
    }
    this.usage = chunk.usage ?? this.usage;
    if (chunk.choices.length === 0 && chunk.usage !== null) {
      if (!this.options.wantsUsageFrame) return;
      this.hasUsageFrame = true;
    }
    this.readChoices(chunk);
    if (this.failure === null) this.pass(frame, chunk);
  }

  private readChoices({ choices }: ChunkJson): void {
    for (const { index, finishReason, hasText, isRole } of choices) {
      if (!this.ends.isOf(index)) this.fail('damaged', 'The upstream sent a choice that was not asked for.');
      if (this.ends.has(index) && (hasText || finishReason !== null)) {
        this.fail('damaged', 'The upstream went on after the end of an answer.');
      }
      if (finishReason === 'error' || finishReason === 'abort') {
        this.fail('reported', 'The upstream gave up on its answer.');
      }
      if (finishReason !== null) this.ends.end(index, finishReason);
      if (finishReason !== null || !isRole) this.tokenFrames++;
    }
  }

  private pass(frame: SseFrame, chunk: ChunkJson): void {
    const splices = this.rewriter.splicesOfFrame(frame);
    const shown = this.rewriter.frame(frame, splices, this.lineEnd);
    const isEnd = chunk.choices.some((choice) => choice.finishReason !== null);
    const isAnswer = isEnd || chunk.choices.some((choice) => choice.hasText);
    this.hasStarted ||= isAnswer;
    if (isEnd) this.templates.forget();
    else this.templates.learn(frame, chunk, splices);
    // Nothing that finishes goes out while it is open whether text before it is missing.
    const isDoubtful = this.options.hasTokenFrames && this.malformedFrames > 0;
    if (this.isFinished || (isEnd && isDoubtful)) return void this.rest.push(shown);
    this.out.push(shown);
    this.hasAnswer ||= isAnswer;
  }

  private dropBroken(data: Buffer): void {
    this.malformedFrames++;
    if (showsAnswerText(data.toString())) {
      this.fail('damaged', 'A part of the answer was damaged on its way from the upstream.');
    }
  }

  private failOversized(): void {
    this.fail('oversized', 'The upstream sent a frame that is too large.');
  }

  /** The first failure is the one that is told. */
  private fail(reason: FailureReason, message: string): void {
    this.failure ??= { reason, message };
  }
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString());
  } catch {
    return undefined;
  }
}
