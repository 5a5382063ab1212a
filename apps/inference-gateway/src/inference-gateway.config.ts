import { Environment } from '@hone/platform';

/** Folder of the operator's own base models; null: none. */
export function readModelsDir(environment = new Environment()): string | null {
  return environment.optional('HONE_MODELS_DIR', 'the path of a folder', () => true) ?? null;
}
