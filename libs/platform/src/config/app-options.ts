import type { ServiceConfig } from './service.config.js';

export interface AppOptions {
  /** Name in logs, metrics and the OpenAPI document. */
  name: string;
  /** One sentence on what the service does. */
  description: string;
  config: ServiceConfig;
  /** Where log lines go, JSON each; absent: stdout. */
  logStream?: { write: (line: string) => void };
  /**
   * Module that a thread runs for requests with heavy bodies: it calls `runReplica()` with the service's module. Absent:
   * the main thread handles them, however long they hold its event loop.
   */
  replica?: URL;
  /** False: periodic jobs run only when a caller runs them: in such a thread, whose process runs them, and under test. Default true. */
  runsJobs?: boolean;
  /** The process ends so long after a stop was asked for, whatever still runs. Default 10,000. */
  stopMs?: number;
}
