import { Environment, MIB, readServiceConfig, type ServiceConfig } from '@hone/platform';
import { EMBEDDED, type EngineList, readEnginesConfig } from '@hone/tinker';
import { DEFAULT_JOB_TIMES, type JobTimes, readJobTimes } from '@hone/training-jobs';

/** What the training service reads from its environment beyond what every service does. */
export interface TrainingConfig {
  /** The artifact store is in `artifacts` below it. */
  dataDir: string;
  /** Large bodies that are parsed at once by this process. */
  largeBodiesAtOnce: number;
  /** How long a large body waits for its turn before it is answered 503. */
  largeBodyWaitMs: number;
  /** Most bytes of all files of one artifact version. */
  artifactLimitBytes: number;
  /** Most bytes of an imported adapter: of the archive, and again of all that is in it. */
  adapterLimitBytes: number;
  openJobsPerModel: number;
  openJobsPerProject: number;
  eventStreamsPerKey: number;
  eventStreams: number;
  /** Where jobs ask models and scorers that sample their own rollouts; absent: there are no such jobs. */
  gatewayUrl?: string | undefined;
  evaluationUrl?: string | undefined;
  jobTimes: JobTimes;
  /** In the order in which they are asked whether they have a job's base model. */
  engines: EngineList;
}

/** Injection token of the {@link TrainingConfig}. */
export const TRAINING_CONFIG = Symbol('TrainingConfig');

export const DEFAULT_TRAINING_CONFIG: Omit<TrainingConfig, 'dataDir'> = {
  largeBodiesAtOnce: 4,
  largeBodyWaitMs: 30_000,
  artifactLimitBytes: 1_024 * MIB,
  adapterLimitBytes: 1_024 * MIB,
  openJobsPerModel: 100,
  openJobsPerProject: 1_000,
  eventStreamsPerKey: 64,
  eventStreams: 2_000,
  jobTimes: DEFAULT_JOB_TIMES,
  engines: [EMBEDDED],
};

export function readTrainingConfig(environment = new Environment()): TrainingConfig {
  const integer = (name: string, max: number, fallback: number) => environment.integer(name, 1, max, fallback);
  const standard = DEFAULT_TRAINING_CONFIG;
  return {
    ...standard,
    dataDir: environment.text('HONE_DATA_DIR', 'a folder', () => true, './.hone'),
    artifactLimitBytes: integer('HONE_TRAINING_MAX_ARTIFACT_BYTES', 2 ** 40, standard.artifactLimitBytes),
    adapterLimitBytes: integer('HONE_TRAINING_MAX_ADAPTER_BYTES', 2 ** 40, standard.adapterLimitBytes),
    openJobsPerModel: integer('HONE_TRAINING_MODEL_JOBS', 100_000, standard.openJobsPerModel),
    openJobsPerProject: integer('HONE_TRAINING_PROJECT_JOBS', 1_000_000, standard.openJobsPerProject),
    gatewayUrl: environment.origin('HONE_GATEWAY_URL'),
    evaluationUrl: environment.origin('HONE_EVALUATION_URL'),
    jobTimes: readJobTimes(environment),
    engines: readEnginesConfig(environment),
  };
}

/** Bodies have 1 MiB; those with trajectories or training data more. */
export const TRAINING_BODY_LIMITS = { bodyLimitBytes: MIB, largeBodyLimitBytes: 64 * MIB };

export function readTrainingServiceConfig(environment = new Environment()): ServiceConfig {
  const { bodyLimitBytes, largeBodyLimitBytes } = TRAINING_BODY_LIMITS;
  return {
    ...readServiceConfig(environment),
    bodyLimitBytes,
    largeBodyLimitBytes: environment.integer('HONE_TRAINING_MAX_BODY_BYTES', 1_024, 2 ** 29, largeBodyLimitBytes),
  };
}
