import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { DEFAULT_MAX_PARAMS, WEIGHT_FORMS, type WeightForm } from '@hone/engine';
import { Environment } from '@hone/platform';
import { type AllowedHosts, readHosts } from '@hone/platform/url-guard';
import { type EngineList, readEnginesConfig } from '@hone/tinker';
import { type JobTimes, readJobTimes } from '@hone/training-jobs';

/** Models that come with Hone. */
const BUNDLED_MODELS = join(import.meta.dirname, '../../../../models');
const MAX_PARAMS = 2 ** 40;

/** Servers from which training data may be downloaded. */
export interface DownloadConfig extends AllowedHosts {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** The variables of the trainer, in addition to those that every service reads. */
export interface TrainerConfig {
  /** The artifact store is in `artifacts` below it. */
  readonly dataDir: string;
  readonly bundledModelsDir: string;
  /** Folder of the operator's own base models; null: none. */
  readonly modelsDir: string | null;
  /** Largest base model that is trained. */
  readonly maxParams: number;
  /** Form of a base's matrices while an adapter is trained. */
  readonly weights: WeightForm;
  /** Memory limit of the process of a job, in bytes; null: derived from the size of the weights. */
  readonly memoryBytes: number | null;
  /** Jobs that run concurrently. */
  readonly concurrency: number;
  /** Threads of one job. Another number changes the last digits of the results. */
  readonly threads: number;
  /** Engines in order of preference: the first that has a job's base model takes it. */
  readonly engines: EngineList;
  /** Where jobs ask models and scorers that sample their own rollouts; absent: there are no such jobs. */
  readonly gatewayUrl?: string | undefined;
  readonly evaluationUrl?: string | undefined;
  readonly jobTimes: JobTimes;
  readonly download: DownloadConfig;
  /** How often garbage is collected. */
  readonly collectSeconds: number;
}

/** Injection token of the {@link TrainerConfig}. */
export const TRAINER_CONFIG = Symbol('TrainerConfig');

export const HOSTS_VARIABLE = 'HONE_TRAINING_DATA_HOSTS';
const MAX_MEMORY_BYTES = 2 ** 50;

export function readTrainerConfig(environment = new Environment()): TrainerConfig {
  return {
    dataDir: environment.text('HONE_DATA_DIR', 'a folder', () => true, './.hone'),
    bundledModelsDir: BUNDLED_MODELS,
    modelsDir: environment.optional('HONE_MODELS_DIR', 'the path of a folder', () => true) ?? null,
    maxParams: environment.integer('HONE_ENGINE_MAX_PARAMS', 1, MAX_PARAMS, DEFAULT_MAX_PARAMS),
    weights: environment.word('HONE_ENGINE_WEIGHTS', WEIGHT_FORMS, 'auto'),
    memoryBytes: environment.integer('HONE_ENGINE_MEMORY', 0, MAX_MEMORY_BYTES, 0) || null,
    concurrency: environment.integer('HONE_TRAINER_CONCURRENCY', 1, 64, 1),
    threads: environment.integer('HONE_TRAINER_THREADS', 1, 256, availableParallelism()),
    engines: readEnginesConfig(environment),
    gatewayUrl: environment.origin('HONE_GATEWAY_URL'),
    evaluationUrl: environment.origin('HONE_EVALUATION_URL'),
    jobTimes: readJobTimes(environment),
    download: readDownloadConfig(environment),
    collectSeconds: environment.integer('HONE_TRAINER_COLLECT_S', 1, 86_400, 3_600),
  };
}

function readDownloadConfig(environment: Environment): DownloadConfig {
  return {
    hosts: readHosts(environment, HOSTS_VARIABLE) ?? null,
    privateHosts: readHosts(environment, 'HONE_TRAINING_ALLOW_PRIVATE_HOSTS') ?? [],
    maxBytes: environment.integer('HONE_TRAINING_MAX_ARTIFACT_BYTES', 1, 2 ** 40, 2 ** 30),
    timeoutMs: 60_000,
  };
}
