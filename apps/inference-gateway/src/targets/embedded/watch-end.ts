import type { AnswerReader, RunningAttempt } from '../target.js';
import type { TargetFailure } from '../target-failure.js';

/**
 * Dispatches an attempt and calls back once at its end.
 *
 * @param onEnd called with the failure; null: the attempt succeeded or was aborted
 */
export function watchEnd(
  dispatch: (reader: AnswerReader) => RunningAttempt,
  reader: AnswerReader,
  onEnd: (failure: TargetFailure | null) => void,
): RunningAttempt {
  let hasEnded = false;
  const end = (failure: TargetFailure | null) => {
    if (!hasEnded) onEnd(failure);
    hasEnded = true;
  };
  const running = dispatch({
    onFrames: (bytes, hasAnswer) => reader.onFrames(bytes, hasAnswer),
    onComplete: (answer) => {
      end(null);
      reader.onComplete(answer);
    },
    onFailure: (failure) => {
      end(failure);
      reader.onFailure(failure);
    },
  });
  return {
    pause: () => running.pause(),
    resume: () => running.resume(),
    abort: () => {
      end(null);
      running.abort();
    },
    produced: () => running.produced(),
    get malformedFrames() {
      return running.malformedFrames;
    },
  };
}
