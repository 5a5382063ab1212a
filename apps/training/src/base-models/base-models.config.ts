import { join } from 'node:path';

import { DEFAULT_MAX_PARAMS } from '@hone/engine';
import { Environment } from '@hone/platform';

/** Where the base models of this service are: it reads their configurations and tokenizers, never their weights. */
export interface BaseModelsConfig {
  readonly bundledDir: string;
  /** Folder of the operator's own base models; null: none. */
  readonly modelsDir: string | null;
  readonly maxParams: number;
}

/** Injection token of the {@link BaseModelsConfig}. */
export const BASE_MODELS_CONFIG = Symbol('BaseModelsConfig');

const MOST_PARAMS = 2 ** 40;

export const readBaseModelsConfig = (environment = new Environment()): BaseModelsConfig => ({
  bundledDir: join(import.meta.dirname, '../../../../models'),
  modelsDir: environment.optional('HONE_MODELS_DIR', 'the path of a folder', () => true) ?? null,
  maxParams: environment.integer('HONE_ENGINE_MAX_PARAMS', 1, MOST_PARAMS, DEFAULT_MAX_PARAMS),
});
