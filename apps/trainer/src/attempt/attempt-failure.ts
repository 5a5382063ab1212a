import { StorageFullError, StorageUnavailableError } from '@hone/artifacts';
import { isDatabaseUnavailable } from '@hone/database';
import { EngineError } from '@hone/engine';
import { DomainError } from '@hone/platform';
import {
  type JobError,
  jobError,
  type JobKind,
  ParentStepNotFoundError,
  ReferenceStepNotFoundError,
} from '@hone/training-jobs';

/** Codes of transient errors: another attempt may succeed. Every other error is permanent. */
const RETRYABLE = new Set([
  'engine.out_of_memory',
  'engine.process_died',
  'engine.internal',
  'engine.hub_unavailable',
  'engine.unreachable',
  'engine.capacity',
  'engine.lost',
  'storage.full',
  'storage.unavailable',
  'data.unavailable',
  'rollouts.unavailable',
  'database.unavailable',
  'server.internal',
]);

const HINTS: Record<string, string> = {
  'config.lora_mismatch':
    'Leave lora out, or ask for at least the rank and the targets of that checkpoint; or start from the base.',
  'config.lora_pattern':
    'Name projections that target_modules has, and layers that the base has, such as layers.0.self_attn.q_proj.',
  'config.parent_step_not_found': 'Name a step that the model has, or leave parent_step out.',
  'config.reference_step_not_found': 'Name a step that the model has, or leave kl_penalty_reference_step out.',
  'engine.base_changed':
    'Put the base back as it was, or train the model anew: parent_step 0 starts from the base that there is.',
  'engine.base_model_unsupported':
    'Create the model with a base that is bundled or in HONE_MODELS_DIR, of a family that the engine computes.',
  'engine.base_model_too_large': 'Raise HONE_ENGINE_MAX_PARAMS, or train a smaller base.',
  'engine.nonfinite_loss': 'Lower the learning rate, and look at the rewards and log-probabilities.',
  'engine.out_of_memory': 'Set packed_sequence_length lower, or a smaller batch_size.',
  'engine.parent_elsewhere': 'Put that engine back into the engines file, or train a new model.',
  'storage.corrupt': 'Delete the damaged checkpoint: the next job starts from the one before.',
  'storage.full': 'Free space below HONE_DATA_DIR, and send the job again.',
};

const FULL = /\b(ENOSPC|EDQUOT)\b/;
const UNAVAILABLE = /\b(EROFS|EACCES|EPERM|EIO|ESTALE|EMFILE|ENFILE)\b/;

/** Settings to blame when the error names no path into the input. */
const SETTINGS: Record<string, string> = {
  'config.lora_mismatch': 'lora',
  'config.lora_pattern': 'lora',
  'config.parent_step_not_found': 'parent_step',
  'config.reference_step_not_found': 'kl_penalty_reference_step',
};

/** What the job shows as the reason of a failed attempt: neither paths of this machine nor a stack trace. */
export function toJobError(error: unknown, hiddenPaths: readonly string[], kind: JobKind = 'rl'): JobError {
  const { code, message, hint, loc: found } = describe(error);
  const setting = SETTINGS[code];
  const loc = found ?? (setting ? [[kind === 'rl' ? 'experimental_config' : 'config', setting]] : null);
  const shown = hiddenPaths.reduce((text, path) => text.replaceAll(`${path}/`, ''), message);
  return jobError(code, shown, { hint: hint ?? HINTS[code] ?? null, loc, retryable: RETRYABLE.has(code) });
}

interface Described {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | null;
  readonly loc?: JobError['loc'];
}

function describe(error: unknown): Described {
  const disk = diskFault(error);
  if (disk) return { code: disk.code, message: disk.message };
  if (error instanceof ReferenceStepNotFoundError) {
    return { code: 'config.reference_step_not_found', message: error.message };
  }
  if (error instanceof ParentStepNotFoundError) {
    return { code: 'config.parent_step_not_found', message: error.message };
  }
  if (error instanceof EngineError) {
    const { hint, locs } = error as { hint?: string | null; locs?: JobError['loc'] };
    return { code: error.code, message: error.message, hint, loc: locs?.length ? locs : null };
  }
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  if (isDatabaseUnavailable(error)) return { code: 'database.unavailable', message: 'The database is not available.' };
  return { code: 'server.internal', message: 'The trainer met an error of its own; its log says more.' };
}

/** The artifact store's own errors, and failed writes of the engine's process to the store's disk. */
function diskFault(error: unknown): StorageUnavailableError | null {
  if (error instanceof StorageUnavailableError) return error;
  const isRaw = !(error instanceof EngineError) || error.code === 'engine.internal';
  const text = isRaw && error instanceof Error ? error.message : '';
  if (FULL.test(text)) return new StorageFullError(error);
  return UNAVAILABLE.test(text) ? new StorageUnavailableError(error) : null;
}
