import { JoinedFrames } from '../../targets/joined-frames.js';
import { joinedUsage } from '../../targets/joined-usage.js';
import type { AnswerReader, Attempt, CompleteAnswer, RunningAttempt, TokenUsage } from '../../targets/target.js';
import type { TargetFailure } from '../../targets/target-failure.js';
import type { Slot, TargetState } from '../health/target-state.js';
import { joinedBody } from './joined-body.js';
import { isSplit, partRequest } from './part-request.js';

/** As of one body: more would be held for a caller who asked for many choices. */
const MAX_BODIES_BYTES = 64 * 1_048_576;

/** Dispatches an attempt to a target: in as many requests as choices were asked for, where it gives one at a time. */
export const dispatchTo = (state: TargetState, attempt: Attempt, reader: AnswerReader): RunningAttempt =>
  isSplit(state, attempt.request) ? new SplitAttempt(state, attempt, reader) : state.target.dispatch(attempt, reader);

/**
 * One attempt as a request for each choice: side by side in the slots that are free, at least in that of the attempt. The
 * answer is whole when all are; the first failure is that of the attempt.
 */
class SplitAttempt implements RunningAttempt {
  private readonly parts: RunningAttempt[] = [];
  private readonly answers: (CompleteAnswer | undefined)[] = [];
  private readonly frames = new JoinedFrames();
  /** Beside that of the attempt. */
  private readonly slots: Slot[] = [];
  private completed = 0;
  private bodyBytes = 0;
  private isPaused = false;
  private isOver = false;

  constructor(
    private readonly state: TargetState,
    private readonly attempt: Attempt,
    private readonly reader: AnswerReader,
  ) {
    this.begin();
    while (this.isLeft && !state.isFull && state.breaker.state === 'closed') {
      this.slots.push(state.acquire());
      this.begin();
    }
  }

  pause(): void {
    this.isPaused = true;
    for (const part of this.parts) part.pause();
  }

  resume(): void {
    this.isPaused = false;
    for (const part of this.parts) part.resume();
  }

  abort(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const [choice, part] of this.parts.entries()) if (!this.answers[choice]) part.abort();
    this.release();
  }

  produced(): TokenUsage {
    return joinedUsage(this.parts.map((part, choice) => this.answers[choice]?.usage ?? part.produced()));
  }

  get malformedFrames(): number {
    return this.parts.reduce((total, { malformedFrames = 0 }) => total + malformedFrames, 0);
  }

  private get isLeft(): boolean {
    return this.parts.length < this.attempt.request.choices;
  }

  private begin(): void {
    const choice = this.parts.length;
    const request = partRequest(this.attempt.request, choice);
    const part = this.state.target.dispatch({ ...this.attempt, request }, this.readerOf(choice));
    this.parts.push(part);
    if (this.isPaused) part.pause();
  }

  private readerOf(choice: number): AnswerReader {
    return {
      onFrames: (bytes, hasAnswer) => this.forward(this.frames.push(choice, bytes), hasAnswer),
      onComplete: (answer) => this.complete(choice, answer),
      onFailure: (failure) => this.fail(failure),
    };
  }

  private forward(bytes: Buffer, hasAnswer: boolean): void {
    if (!this.isOver && bytes.length > 0) this.reader.onFrames(bytes, hasAnswer);
  }

  private complete(choice: number, answer: CompleteAnswer): void {
    if (this.isOver) return;
    const { isStream } = this.attempt.request;
    this.bodyBytes += isStream ? 0 : answer.bytes.length;
    if (this.bodyBytes > MAX_BODIES_BYTES) {
      return this.fail({ reason: 'oversized', message: 'The choices are too large together.' });
    }
    this.answers[choice] = answer;
    this.completed++;
    const rest = isStream ? this.frames.push(choice, answer.bytes) : answer.bytes;
    if (this.completed === this.attempt.request.choices) return this.end(rest);
    if (isStream) this.forward(rest, true);
    if (this.isOver) return;
    if (this.isLeft) this.begin();
    else this.slots.pop()?.release();
  }

  /** @param last of a stream: the end of the choice that ended last */
  private end(last: Buffer): void {
    this.isOver = true;
    this.release();
    const { isStream, wantsUsageFrame } = this.attempt.request;
    const answers = this.answers as CompleteAnswer[];
    const usage = joinedUsage(answers.map((answer) => answer.usage));
    const bytes = isStream
      ? Buffer.concat([last, this.frames.end(wantsUsageFrame ? usage : null)])
      : joinedBody(
          answers.map((answer) => answer.bytes),
          usage,
        );
    this.reader.onComplete({
      bytes,
      usage,
      oddities: answers.flatMap(({ oddities }) => oddities),
      finishReasons: answers.flatMap(({ finishReasons = [] }) => finishReasons),
    });
  }

  private fail(failure: TargetFailure): void {
    if (this.isOver) return;
    this.abort();
    this.reader.onFailure(failure);
  }

  private release(): void {
    for (const slot of this.slots.splice(0)) slot.release();
  }
}
