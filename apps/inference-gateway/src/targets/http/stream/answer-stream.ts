import { isUtf8 } from 'node:buffer';

import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import type { SseFrame } from '../../../wire/sse/sse-frame.js';
import type { TokenUsage } from '../../target.js';
import type { TargetFailure } from '../../target-failure.js';
import { readReportedError } from '../error/reported-error.js';
import type { AnswerStreamOptions } from './answer-stream-options.js';
import { ChoiceEnds } from './choice-ends.js';
import { type ChoiceDelta, type ChunkJson, mayBeChunk, readChunk, showsAnswerText } from './chunk-json.js';
import { FrameRewriter } from './frame-rewriter.js';
import { FramedStream } from './framed-stream.js';
import { ReportedUsage } from './reported-usage.js';
import type { StreamReader } from './stream-reader.js';
import { TextTemplates } from './text-templates.js';
import { ToolCallNames } from './tool-call-names.js';

const LOST_PART: TargetFailure = {
  reason: 'damaged',
  message: 'A part of the answer was lost on its way from the upstream.',
};
const TOO_FEW_CHOICES = 'The upstream sent fewer choices than were asked for.';

/**
 * Reads a stream of chunks incrementally: returns the frames to pass on, and detects whether the answer is broken or
 * complete (each choice ended exactly once and no text was lost). The frame that ends the last choice and all later
 * frames are held back until {@link takeRest}.
 */
export class AnswerStream extends FramedStream implements StreamReader {
  /** Valid frames with a token, including finish frames. */
  tokenFrames = 0;
  /** An answer frame has arrived, passed on or held back. */
  hasStarted = false;

  private readonly templates = new TextTemplates();
  private readonly rewriter: FrameRewriter;
  private readonly ends: ChoiceEnds;
  private readonly rest: Buffer[] = [];
  private readonly reported: ReportedUsage;
  private readonly callNames = new ToolCallNames();
  /** A dropped frame may have been a part of the answer: only the number of its tokens can disprove that. */
  private mayLackPart = false;

  constructor(private readonly options: AnswerStreamOptions) {
    super();
    this.ends = new ChoiceEnds(options.choices);
    this.rewriter = new FrameRewriter(options.names);
    this.reported = new ReportedUsage(this.rewriter, options.model);
  }

  /** As the upstream reported it last; null: not so far. */
  get usage(): TokenUsage | null {
    return this.reported.counts;
  }

  /** All choices have ended; only usage and `[DONE]` may follow. */
  get isFinished(): boolean {
    return this.ends.areAll;
  }

  /** What silence amid the answer means. */
  get silence(): TargetFailure {
    if (this.ends.areFew) return this.tooFew;
    return { reason: 'stalled', message: 'The upstream stopped amid its answer.' };
  }

  /** `finish_reason` of the choices that have ended. */
  get finishReasons(): readonly string[] {
    return this.ends.reasons;
  }

  /**
   * Fast path: passes a chunk that is exactly one frame of a known template with text, as nearly every chunk is.
   *
   * @returns the frame for the caller; null: {@link push} must read the chunk
   */
  passText(chunk: Buffer): Buffer | null {
    if (this.splitter.waitingBytes > 0 || this.failure !== null || this.isDone) return null;
    const frame = this.templates.passWhole(chunk);
    if (frame === null) return null;
    this.tokenFrames++;
    this.hasStarted = true;
    return frame;
  }

  /**
   * Returns the frames that were held back, and `[DONE]`. Call it when the answer has ended: by `[DONE]`, by the end of
   * the body, or by silence after {@link isFinished}.
   *
   * @param usage for the usage frame, when the caller requested one and the upstream reported no usage at all
   */
  takeRest(usage: TokenUsage): Buffer {
    if (this.options.wantsUsageFrame) this.rest.push(this.reported.frameOf(usage, this.lineEnd));
    this.rest.push(Buffer.from(`data: [DONE]${this.lineEnd}${this.lineEnd}`));
    return Buffer.concat(this.rest);
  }

  /** What shows, at the end of the answer, that a part of it was lost; null: nothing does. */
  lostPart(): TargetFailure | null {
    if (this.callNames.areMissing) return LOST_PART;
    if (!this.options.hasTokenFrames || this.malformedFrames === 0) return null;
    if (this.usage === null) return this.mayLackPart ? LOST_PART : null;
    return this.tokenFrames < this.usage.completionTokens ? LOST_PART : null;
  }

  protected override passFrame(bytes: Buffer, at: number): number | null {
    const text = this.templates.pass(bytes, at, this.out);
    if (text === null) return null;
    this.countText(!text.isEmpty);
    return text.end;
  }

  private countText(isAnswer: boolean): void {
    this.tokenFrames++;
    this.hasAdvanced = true;
    this.hasAnswer ||= isAnswer;
    this.hasStarted ||= isAnswer;
  }

  protected readEvent(frame: SseFrame, data: Buffer): void {
    const json = isUtf8(frame.raw) ? parsePlainJson(data) : undefined;
    if (isJsonObject(json)) this.readObject(frame, json);
    else this.dropBroken(data, json);
  }

  private readObject(frame: SseFrame, json: Record<string, unknown>): void {
    if (json.error || frame.event === 'error' || json.object === 'error') {
      this.failure ??= readReportedError(json.error ?? json);
      return;
    }
    const chunk = readChunk(json);
    if (chunk === null) return this.dropBroken(frame.data as Buffer, json);
    this.hasAdvanced ||= chunk.choices.length > 0;
    this.reported.read(json, chunk);
    if (chunk.choices.length === 0 && chunk.usage !== null) return this.keepUsageFrame(frame, json);
    // Some upstreams finish a choice twice, the second time with the usage: the caller gets one end.
    const isRepeated = chunk.choices.length > 0 && chunk.choices.every((choice) => this.repeatsEnd(choice, chunk));
    if (isRepeated) return;
    this.readChoices(chunk);
    const { tokens } = this.options;
    tokens?.read(json);
    if (this.failure === null && !tokens?.isHidden(json)) this.pass(frame, chunk);
  }

  private keepUsageFrame(frame: SseFrame, json: Record<string, unknown>): void {
    // A frame without a list of choices would not be read by every client.
    if (!this.options.wantsUsageFrame || !Array.isArray(json.choices)) return;
    this.reported.keep(this.rewriter.frame(frame, this.rewriter.splicesOfFrame(frame), this.lineEnd));
  }

  /** The choice has ended so before, and gets nothing more. */
  private repeatsEnd({ index, finishReason, hasText }: ChoiceDelta, { usage }: ChunkJson): boolean {
    if (!this.ends.has(index) || hasText) return false;
    return finishReason === null ? usage !== null : finishReason === this.ends.endOf(index);
  }

  private readChoices({ choices }: ChunkJson): void {
    for (const { index, finishReason, hasText, isRole, callParts } of choices) {
      if (!this.ends.isOf(index)) {
        this.fail('mismatched', 'The upstream sent a choice that was not asked for.');
        return;
      }
      this.ends.begin(index);
      if (this.ends.has(index) && (hasText || finishReason !== null)) {
        // With several choices, the upstream may have sent all of them under one index.
        this.fail(
          this.options.choices > 1 ? 'mismatched' : 'damaged',
          'The upstream went on after the end of an answer.',
        );
      }
      if (finishReason === 'error' || finishReason === 'abort') {
        this.fail('reported', 'The upstream gave up on its answer.');
      }
      if (finishReason !== null) this.ends.end(index, finishReason);
      if (finishReason !== null || !isRole) this.tokenFrames++;
      this.callNames.read(index, callParts);
    }
  }

  private pass(frame: SseFrame, chunk: ChunkJson): void {
    const { tokens = null, wantsContinuousUsage } = this.options;
    const hidesUsage = chunk.usage !== null && !wantsContinuousUsage;
    const splices = this.rewriter.splicesOfFrame(frame, { tokens, hidesUsage });
    const shown = this.rewriter.frame(frame, splices, this.lineEnd);
    const isEnd = chunk.choices.some((choice) => choice.finishReason !== null);
    const isAnswer = isEnd || chunk.choices.some((choice) => choice.hasText);
    this.hasStarted ||= isAnswer;
    if (isEnd) this.templates.forget();
    // Tokens are read from every frame.
    else if (tokens === null) this.templates.learn(frame, chunk, splices);
    // A finish frame is held back while earlier text may be missing.
    const mayLackText = this.options.hasTokenFrames && this.malformedFrames > 0;
    if (this.isFinished || (isEnd && mayLackText)) return void this.rest.push(shown);
    this.out.push(shown);
    this.hasAnswer ||= isAnswer;
  }

  /** @param json the parsed data; undefined: it is no JSON */
  private dropBroken(data: Buffer, json: unknown): void {
    this.malformedFrames++;
    const text = data.toString();
    if (!mayBeChunk(text, json)) return;
    this.mayLackPart = true;
    if (!this.options.hasTokenFrames || showsAnswerText(text)) {
      this.fail('damaged', 'A part of the answer was damaged on its way from the upstream.');
    }
  }

  private get tooFew(): TargetFailure {
    return { reason: 'mismatched', message: TOO_FEW_CHOICES, hasOneChoice: this.ends.reasons.length === 1 };
  }

  /** The answer ended before each choice did. */
  protected override failUnfinished(): void {
    if (this.ends.areFew) this.failure ??= this.tooFew;
    else super.failUnfinished();
  }
}
