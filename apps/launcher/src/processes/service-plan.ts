import { join } from 'node:path';

import type { LauncherConfig } from '../config/launcher.config.js';

/** One process to run. */
export interface ServicePlan {
  /** Name in progress lines, and of its log. */
  name: string;
  /** Script that Node runs. */
  script: string;
  /** Whether it holds weights of models. */
  isEngine: boolean;
  /** Whether it answers with lists of tens of thousands of rows. */
  hasLongLists: boolean;
  /** Its environment beyond the launcher's own. An undefined variable is removed. */
  variables: Record<string, string | undefined>;
}

const GATEWAY = 'inference-gateway';
const EVALUATION = 'evaluation';
const TRAINING = 'training';
/** Name of the one service without public routes. */
export const TRAINER = 'trainer';

const APPS = join(import.meta.dirname, '../../..');
const scriptOf = (app: string): string => join(APPS, app, 'dist/main.js');

/** Every service process; each keeps its port for as long as the launcher runs, so that the proxy finds it again. */
export function planServices(
  config: LauncherConfig,
  databaseUrl: string,
  tempFolder: string,
  ports: readonly number[],
): ServicePlan[] {
  const traces = Array.from({ length: config.traceReplicas }, (_, index) =>
    config.traceReplicas === 1 ? 'trace' : `trace-${index + 1}`,
  );
  const names = [...traces, TRAINING, GATEWAY, EVALUATION, 'accounts', TRAINER];
  const urlOf = (name: string) => `http://127.0.0.1:${ports[names.indexOf(name)]}`;
  const gatewayUrl = urlOf(GATEWAY);
  return names.map((name, index) => ({
    name,
    script: scriptOf(name.replace(/^trace-\d+$/, 'trace')),
    isEngine: name === GATEWAY || name === TRAINER,
    hasLongLists: traces.includes(name),
    variables: {
      HOST: '127.0.0.1',
      PORT: String(ports[index]),
      DATABASE_URL: databaseUrl,
      HONE_DATA_DIR: config.dataDir,
      HONE_MODELS_DIR: config.modelsDir,
      TMPDIR: tempFolder,
      HONE_BOOTSTRAP_API_KEY: name === 'accounts' ? config.bootstrapApiKey : undefined,
      ...(traces.includes(name) && { HONE_TRACE_GATEWAY_URL: gatewayUrl }),
      ...([EVALUATION, TRAINING, TRAINER].includes(name) && { HONE_GATEWAY_URL: gatewayUrl }),
      ...([TRAINING, TRAINER].includes(name) && { HONE_EVALUATION_URL: urlOf(EVALUATION) }),
      ...(name === EVALUATION && { HONE_TRAINING_URL: urlOf(TRAINING), HONE_TRACE_URL: urlOf(traces[0] as string) }),
    },
  }));
}

export const serviceCount = (config: LauncherConfig): number => config.traceReplicas + 5;

/** The proxy in front of `services`. It needs no secret. */
export function planProxy(config: LauncherConfig, port: number, services: readonly ServicePlan[]): ServicePlan {
  const urls = (app: string): string =>
    services
      .filter(({ script }) => script === scriptOf(app))
      .map(({ variables }) => `http://${variables['HOST']}:${variables['PORT']}`)
      .join(',');
  return {
    name: 'proxy',
    script: scriptOf('proxy'),
    isEngine: false,
    hasLongLists: false,
    variables: {
      HOST: config.host,
      PORT: String(port),
      HONE_TRACE_URLS: urls('trace'),
      HONE_TRAINING_URLS: urls('training'),
      HONE_INFERENCE_GATEWAY_URLS: urls('inference-gateway'),
      HONE_EVALUATION_URLS: urls(EVALUATION),
      HONE_ACCOUNTS_URLS: urls('accounts'),
      DATABASE_URL: undefined,
      HONE_BOOTSTRAP_API_KEY: undefined,
    },
  };
}
