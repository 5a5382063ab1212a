import {
  type JsonValue,
  PreferenceJobCreateDto,
  searchableText,
  SftJobCreateDto,
  stringifyJson,
} from '@hone/contracts';
import type { JobWarning } from '@hone/training-jobs';

import { warnOfUnknownKeys } from './unknown-keys.js';

/** The bodies of jobs that learn from the lines of a file. */
type LinesJob = SftJobCreateDto | PreferenceJobCreateDto;

/** Such a body. */
export interface LinesBody<Job extends LinesJob = LinesJob> {
  modelId: string;
  trainingDataUrl: string;
  config: NonNullable<Job['config']> | null;
  /** `experimental_config` as the database can hold it. */
  extraConfig: object | null;
  warnings: JobWarning[];
}

/** @param sent the body as it was parsed, which `type` accepts */
export const toLinesBody = <Job extends LinesJob>(
  type: new () => Job,
  { model_id, training_data_url, config, experimental_config }: Job,
  sent: JsonValue,
): LinesBody<Job> => ({
  modelId: model_id,
  trainingDataUrl: training_data_url,
  config: config ? plain(config as NonNullable<Job['config']>) : null,
  extraConfig: experimental_config ? plain(experimental_config) : null,
  warnings: warnOfUnknownKeys(type, sent),
});

/** Without classes, which do not travel between threads, and without text that jsonb refuses. */
const plain = <T extends object>(value: T): T =>
  JSON.parse(searchableText(value as unknown as JsonValue, stringifyJson(value))) as T;
