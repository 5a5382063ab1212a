import { join } from 'node:path';

import { DEFAULT_MAX_PARAMS } from '@hone/engine';
import { Environment } from '@hone/platform';

/** Folders of the base models, whose tokenizers are needed. */
export interface DiagnosisConfig {
  readonly bundledDir: string;
  /** Folder of the operator's own base models; null: none. */
  readonly modelsDir: string | null;
  readonly maxParams: number;
}

/** Injection token of the {@link DiagnosisConfig}. */
export const DIAGNOSIS_CONFIG = Symbol('DiagnosisConfig');

const MOST_PARAMS = 2 ** 40;

export const readDiagnosisConfig = (environment = new Environment()): DiagnosisConfig => ({
  bundledDir: join(import.meta.dirname, '../../../../models'),
  modelsDir: environment.optional('HONE_MODELS_DIR', 'the path of a folder', () => true) ?? null,
  maxParams: environment.integer('HONE_ENGINE_MAX_PARAMS', 1, MOST_PARAMS, DEFAULT_MAX_PARAMS),
});
