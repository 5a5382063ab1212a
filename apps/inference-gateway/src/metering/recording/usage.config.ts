import { Environment } from '@hone/platform';

import { readDataDir } from '../../shared/gateway.config.js';

/** The `journal` part of the upstream configuration. */
export interface JournalConfig {
  /** `write`: usage survives a killed process. `fsync`: a crashed machine as well. */
  sync: 'write' | 'fsync';
  /** What a request gets while the journal cannot be written: a 503, or an answer that may go unbilled. */
  onFailure: 'refuse' | 'serve';
}

export interface UsageConfig {
  /** The journal is in `gateway/journal` below it. */
  dataDir: string;
  journal: JournalConfig;
  /** Usage records of days before are dropped; their sums stay. */
  retentionDays: number;
}

/** Injection token of the {@link UsageConfig}. */
export const USAGE_CONFIG = Symbol('UsageConfig');

export const DEFAULT_JOURNAL_CONFIG: JournalConfig = { sync: 'write', onFailure: 'refuse' };

export function readUsageConfig(
  journal: JournalConfig = DEFAULT_JOURNAL_CONFIG,
  environment = new Environment(),
): UsageConfig {
  return {
    dataDir: readDataDir(environment),
    journal,
    retentionDays: environment.integer('HONE_USAGE_RETENTION_DAYS', 32, 36_500, 400),
  };
}
