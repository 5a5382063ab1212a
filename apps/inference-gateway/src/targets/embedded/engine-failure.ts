import { StorageUnavailableError, StoredFileCorruptError, StoredFileMissingError } from '@hone/artifacts';
import { EngineError, EngineThreadError } from '@hone/engine';

import type { AnswerReader, RunningAttempt } from '../target.js';
import { type TargetFailure, TargetUnavailableError } from '../target-failure.js';
import { UsageMeter } from './answer/usage-meter.js';
import { RefusedRequest } from './request/request-issue.js';

const REASONS: Readonly<Record<string, TargetFailure['reason']>> = {
  'engine.crashed': 'crashed',
  constraint_dead_end: 'dead_end',
  context_length_exceeded: 'context_length',
  'engine.closed': 'overloaded',
  'engine.base_not_loaded': 'overloaded',
  'engine.not_open': 'no_model',
  'storage.corrupt': 'corrupt',
};

/** Replacements for messages of the engine that contain a path or internals. */
const SENTENCES: { readonly [Reason in TargetFailure['reason']]?: string } = {
  crashed: 'The embedded engine ended amid the answer.',
  corrupt: 'The checkpoint is damaged; it is not served.',
  overloaded: 'The embedded engine is not ready.',
};

/** Errors of the request that only the engine finds. */
const REQUEST_ERROR = /^engine\.(constraint_|token_unknown|prompt_empty)/;

/** Maps an error of a generation to a failure of the attempt. Messages of internal errors are not passed on. */
export function toTargetFailure(error: unknown): TargetFailure {
  if (error instanceof RefusedRequest) return toRejection(error);
  if (!(error instanceof EngineError)) return { reason: 'failed', message: 'The embedded engine failed.' };
  const { code, message } = error;
  if (REQUEST_ERROR.test(code)) {
    const field = error instanceof EngineThreadError ? error.field : undefined;
    const detail = [{ loc: ['body', ...(field ? [field] : [])], msg: message, type: 'value_error' }];
    return { reason: 'rejected', message, upstreamStatus: 422, code: 'value_error', param: field, detail };
  }
  const reason = REASONS[code];
  if (reason === undefined) return { reason: 'failed', message: 'The embedded engine failed.' };
  return { reason, message: SENTENCES[reason] ?? message };
}

function toRejection({ refusal, message }: RefusedRequest): TargetFailure {
  if (refusal.status === 400) return { reason: 'context_length', message, upstreamStatus: 400 };
  const detail = refusal.issues.map((issue) => ({ ...issue, loc: ['body', ...issue.loc] }));
  return { reason: 'rejected', message, upstreamStatus: 422, code: refusal.issues[0]?.type, detail };
}

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

/** Transient errors of the engine. */
const TRANSIENT = new Set(['engine.crashed', 'engine.closed', 'engine.base_not_loaded']);

/** Maps an error of opening a target; an unexpected error is returned unchanged. */
export function toUnavailable(error: unknown): unknown {
  const code = error instanceof EngineError ? error.code : null;
  const isDamaged = error instanceof StoredFileMissingError || error instanceof StoredFileCorruptError;
  if (isDamaged || code === 'storage.corrupt') return new TargetUnavailableError('damaged', error);
  const isTransient = error instanceof StorageUnavailableError || (code !== null && TRANSIENT.has(code));
  if (isTransient) return new TargetUnavailableError('transient', error);
  return code === null ? error : new TargetUnavailableError('not_served', error);
}
