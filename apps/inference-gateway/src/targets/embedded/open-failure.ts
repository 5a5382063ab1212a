import { StorageUnavailableError, StoredFileCorruptError, StoredFileMissingError } from '@hone/artifacts';
import { EngineError } from '@hone/engine';

import { TargetUnavailableError } from '../target-failure.js';

/** Errors of the engine that pass by themselves. */
const TRANSIENT = new Set(['engine.crashed', 'engine.closed', 'engine.base_not_loaded']);

/** Why a target could not be opened; an unexpected error is returned as it is. */
export function toUnavailable(error: unknown): unknown {
  const code = error instanceof EngineError ? error.code : null;
  const isDamaged = error instanceof StoredFileMissingError || error instanceof StoredFileCorruptError;
  if (isDamaged || code === 'storage.corrupt') return new TargetUnavailableError('damaged', error);
  const isTransient = error instanceof StorageUnavailableError || (code !== null && TRANSIENT.has(code));
  if (isTransient) return new TargetUnavailableError('transient', error);
  return code === null ? error : new TargetUnavailableError('not_served', error);
}
