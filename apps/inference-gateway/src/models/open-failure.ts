import { StorageUnavailableError, StoredFileCorruptError, StoredFileMissingError } from '@hone/artifacts';
import { EngineError } from '@hone/engine';

import { baseModelNotServed, checkpointDamaged, modelUnavailable } from '../trained/trained.errors.js';
import type { Target } from '../upstreams/target.js';

/** Faults of the engine that pass. */
const PASSING = new Set(['engine.crashed', 'engine.closed', 'engine.base_not_loaded']);

/** Why a target could not be opened, as a caller is told; what nobody expected stays what it is. */
export function toOpenFailure(error: unknown, { model, pinned }: Target): unknown {
  const isDamaged = error instanceof StoredFileMissingError || error instanceof StoredFileCorruptError;
  if (isDamaged || isEngineError(error, (code) => code === 'storage.corrupt')) return checkpointDamaged(pinned?.name ?? model);
  const isPassing = error instanceof StorageUnavailableError || isEngineError(error, (code) => PASSING.has(code));
  if (isPassing) return modelUnavailable(pinned?.name ?? model);
  return error instanceof EngineError ? baseModelNotServed(model) : error;
}

const isEngineError = (error: unknown, matches: (code: string) => boolean): boolean =>
  error instanceof EngineError && matches(error.code);
