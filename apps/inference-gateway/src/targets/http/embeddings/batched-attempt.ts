import type { AnswerReader, RunningAttempt, TokenUsage } from '../../target.js';

/** Sends one part of a request. @returns the attempt that runs */
type Send = (part: number, reader: AnswerReader) => RunningAttempt;

/** Sends a request in parts, one after another: the last one's answer is that of all. One that fails ends all. */
export class BatchedAttempt implements RunningAttempt {
  private running: RunningAttempt;
  private isPaused = false;

  constructor(
    private readonly parts: number,
    private readonly send: Send,
    private readonly reader: AnswerReader,
  ) {
    this.running = this.begin(0);
  }

  pause(): void {
    this.isPaused = true;
    this.running.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.running.resume();
  }

  abort(): void {
    this.running.abort();
  }

  produced(): TokenUsage {
    return this.running.produced();
  }

  private begin(part: number): RunningAttempt {
    return this.send(part, {
      onFrames: () => undefined,
      onFailure: (failure) => this.reader.onFailure(failure),
      onComplete: (answer) => {
        if (part === this.parts - 1) return this.reader.onComplete(answer);
        this.running = this.begin(part + 1);
        if (this.isPaused) this.running.pause();
      },
    });
  }
}
