import type { AnswerReader, RunningAttempt } from '../../target.js';
import { SuccessiveAttempt } from '../successive-attempt.js';

/** Sends one part of a request. @returns the attempt that runs */
type Send = (part: number, reader: AnswerReader) => RunningAttempt;

/** Sends a request in parts, one after another: the last one's answer is that of all. One that fails ends all. */
export class BatchedAttempt extends SuccessiveAttempt {
  constructor(
    private readonly parts: number,
    private readonly send: Send,
    private readonly reader: AnswerReader,
  ) {
    super();
    this.goOn(this.begin(0));
  }

  private begin(part: number): RunningAttempt {
    return this.send(part, {
      onFrames: () => undefined,
      onFailure: (failure) => this.reader.onFailure(failure),
      onComplete: (answer) => {
        if (part === this.parts - 1) return this.reader.onComplete(answer);
        this.goOn(this.begin(part + 1));
      },
    });
  }
}
