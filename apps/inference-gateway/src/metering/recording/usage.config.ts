import { Environment } from '@hone/platform';

import { readDataDir } from '../../shared/gateway.config.js';
import type { JournalSettings } from '../../shared/gateway-settings.js';

export interface UsageConfig {
  /** Contains the journal, in `gateway/journal`. */
  dataDir: string;
  journal: JournalSettings;
  /** Usage records older than this are dropped; their sums stay. */
  retentionDays: number;
}

/** Injection token of the {@link UsageConfig}. */
export const USAGE_CONFIG = Symbol('UsageConfig');

export const DEFAULT_JOURNAL_CONFIG: JournalSettings = { sync: 'write', onFailure: 'refuse' };

export function readUsageConfig(
  journal: JournalSettings = DEFAULT_JOURNAL_CONFIG,
  environment = new Environment(),
): UsageConfig {
  return {
    dataDir: readDataDir(environment),
    journal,
    retentionDays: environment.integer('HONE_USAGE_RETENTION_DAYS', 32, 36_500, 400),
  };
}
