import type { ServiceConfig } from './service.config.js';

export interface AppOptions {
  /** Name in logs, metrics and the OpenAPI document. */
  name: string;
  /** One sentence on what the service does. */
  description: string;
  config: ServiceConfig;
  /** Where log lines go, JSON each; absent: stdout. */
  logStream?: { write: (line: string) => void };
  /** False: periodic jobs run only when a caller runs them, as under test. Default true. */
  runsJobs?: boolean;
  /** The process ends so long after a stop was asked for, whatever still runs. Default 10,000. */
  stopMs?: number;
}
