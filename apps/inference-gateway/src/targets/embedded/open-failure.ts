import { StorageUnavailableError, StoredFileCorruptError, StoredFileMissingError } from '@hone/artifacts';
import { EngineError } from '@hone/engine';

import { TargetUnavailableError } from '../target-failure.js';

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
