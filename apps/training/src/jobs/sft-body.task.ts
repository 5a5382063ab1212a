import { type JsonValue, searchableText, type SftConfigDto, SftJobCreateDto, stringifyJson } from '@hone/contracts';
import { bodyTask } from '@hone/platform/body-task';
import type { JobWarning } from '@hone/training-jobs';

import { LARGE_BODY_LIMITS } from '../http/large-bodies/large-body-limits.js';
import { warnOfUnknownKeys } from './unknown-keys.js';

/** The body of a fine-tuning job. */
export interface SftBody {
  modelId: string;
  trainingDataUrl: string;
  config: SftConfigDto | null;
  /** `experimental_config` as the database can hold it. */
  extraConfig: object | null;
  warnings: JobWarning[];
}

export const TASK = bodyTask({
  type: SftJobCreateDto,
  module: import.meta.url,
  limits: LARGE_BODY_LIMITS,
  digest: ({ model_id, training_data_url, config, experimental_config }, _issues, sent): SftBody => ({
    modelId: model_id,
    trainingDataUrl: training_data_url,
    config: config ? plain(config) : null,
    extraConfig: experimental_config ? plain(experimental_config) : null,
    warnings: warnOfUnknownKeys(SftJobCreateDto, sent),
  }),
});

/** Without classes, which do not travel between threads, and without text that jsonb refuses. */
const plain = <T extends object>(value: T): T =>
  JSON.parse(searchableText(value as unknown as JsonValue, stringifyJson(value))) as T;
