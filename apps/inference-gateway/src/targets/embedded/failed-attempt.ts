import type { AnswerReader, RunningAttempt } from '../target.js';
import { UsageMeter } from './answer/usage-meter.js';
import { toTargetFailure } from './engine-failure.js';

/** An attempt that could not begin: it reports the failure after `dispatch` has returned. */
export function failedAttempt(error: unknown, reader: AnswerReader): RunningAttempt {
  let isAborted = false;
  queueMicrotask(() => isAborted || reader.onFailure(toTargetFailure(error)));
  return {
    pause: () => undefined,
    resume: () => undefined,
    abort: () => void (isAborted = true),
    produced: () => new UsageMeter(0).usage,
  };
}
