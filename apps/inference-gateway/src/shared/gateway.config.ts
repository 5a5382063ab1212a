import { Environment } from '@hone/platform';

/** Folder where the processes of this installation keep their files. */
export function readDataDir(environment = new Environment()): string {
  return environment.text('HONE_DATA_DIR', 'a folder', () => true, './.hone');
}

/** Folder of the operator's own base models; null: none. */
export function readModelsDir(environment = new Environment()): string | null {
  return environment.optional('HONE_MODELS_DIR', 'the path of a folder', () => true) ?? null;
}
