import {
  DEFAULT_MAX_CHECKPOINT_BYTES,
  DEFAULT_MAX_PARAMS,
  DEFAULT_SILENCE_MS,
  WEIGHT_FORMS,
  type WeightForm,
} from '@hone/engine';
import { Environment } from '@hone/platform';

const MOST_PARAMS = 2 ** 40;
const MOST_BYTES = 2 ** 50;
const MOST_HANG_SECONDS = 3_600;

/** Folder where the processes of this installation keep their files. */
export function readDataDir(environment = new Environment()): string {
  return environment.text('HONE_DATA_DIR', 'a folder', () => true, './.hone');
}

/** Folder of the operator's own base models; null: none. */
export function readModelsDir(environment = new Environment()): string | null {
  return environment.optional('HONE_MODELS_DIR', 'the path of a folder', () => true) ?? null;
}

/** Parameters of the largest base model that is served. */
export function readMaxParams(environment = new Environment()): number {
  return environment.integer('HONE_ENGINE_MAX_PARAMS', 1, MOST_PARAMS, DEFAULT_MAX_PARAMS);
}

/** Form in which the embedded engine holds the matrices of base models. */
export function readWeightForm(environment = new Environment()): WeightForm {
  return environment.word('HONE_ENGINE_WEIGHTS', WEIGHT_FORMS, 'auto');
}

/** CPU time after which a thread of the embedded engine that answers nothing counts as hung. */
export function readSilenceMs(environment = new Environment()): number {
  return environment.integer('HONE_ENGINE_HANG_S', 1, MOST_HANG_SECONDS, DEFAULT_SILENCE_MS / 1_000) * 1_000;
}

/** Bytes of the embedded engine's cache of checkpoints. */
export function readMaxCheckpointBytes(environment = new Environment()): number {
  return environment.integer('HONE_ENGINE_CHECKPOINT_CACHE_BYTES', 0, MOST_BYTES, DEFAULT_MAX_CHECKPOINT_BYTES);
}
