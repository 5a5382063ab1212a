import { join, resolve } from 'node:path';

import { Environment, readServiceConfig } from '@hone/platform/config';

/** What `npm start` reads from its environment. */
export interface LauncherConfig {
  /** Address that everything is served at. */
  host: string;
  /** 0: a free one. */
  port: number;
  /** Absolute path of the folder that holds database, artifacts, key and logs. */
  dataDir: string;
  /** Absolute path of the folder of the operator's base models, which need not be there. */
  modelsDir: string;
  /** Postgres of the operator; undefined: an embedded one. */
  databaseUrl: string | undefined;
  bootstrapApiKey: string | undefined;
  /** Models of the operator's own choice; undefined: those that come with Hone. */
  upstreamsFile: string | undefined;
  traceReplicas: number;
  /** Connections to Postgres that each service may open. */
  poolSize: number;
}

const MIN_KEY_LENGTH = 32;
const MAX_KEY_LENGTH = 1_024;
const MAX_REPLICAS = 16;
/** Stands for the database that is not there yet, where only the other variables are checked. */
const SOME_DATABASE = 'postgres://localhost/hone';

/**
 * Checks the variables of the services too, so that a wrong one is reported before the database starts.
 *
 * @throws EnvironmentError naming the variable and what was expected
 */
export function readLauncherConfig(variables: NodeJS.ProcessEnv = process.env): LauncherConfig {
  const environment = new Environment(variables);
  const databaseUrl = variables['DATABASE_URL'] ? environment.databaseUrl() : undefined;
  const { poolSize } = readServiceConfig(
    new Environment({ ...variables, DATABASE_URL: databaseUrl ?? SOME_DATABASE, HOST: '', PORT: '' }),
    'HONE_TRACE_MAX_BODY_BYTES',
  );
  const dataDir = resolve(environment.text('HONE_DATA_DIR', 'a folder', () => true, './.hone'));
  return {
    host: environment.text('HONE_HOST', 'an address of this machine', (value) => /^[\w.:-]+$/.test(value), '127.0.0.1'),
    port: environment.port('HONE_PORT', 8080),
    dataDir,
    modelsDir: resolve(environment.text('HONE_MODELS_DIR', 'a folder', () => true, join(dataDir, 'models'))),
    databaseUrl,
    bootstrapApiKey: environment.optional(
      'HONE_BOOTSTRAP_API_KEY',
      `a key of ${MIN_KEY_LENGTH} to ${MAX_KEY_LENGTH} characters without blanks`,
      (key) => key.length >= MIN_KEY_LENGTH && key.length <= MAX_KEY_LENGTH && !/[\s\p{Cc}]/u.test(key),
    ),
    upstreamsFile: environment.optional('HONE_UPSTREAMS', 'the path of a YAML or JSON file', () => true),
    traceReplicas: environment.integer('HONE_TRACE_REPLICAS', 1, MAX_REPLICAS, 1),
    poolSize,
  };
}
