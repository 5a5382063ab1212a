import { join } from 'node:path';

import { PeriodicJob } from '@hone/platform';
import { Inject, Injectable, Logger } from '@nestjs/common';

import { removeOrphanedEntries } from '../../call-log/orphaned-entries.js';
import { USAGE_CONFIG, type UsageConfig } from './usage.config.js';
import { UsageDriftRepository } from './usage-drift.repository.js';
import { UsageMetrics } from './usage-metrics.js';
import { UsagePartitionsRepository } from './usage-partitions.repository.js';

const INTERVAL_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Today's partition and those of the next days: records fit even if housekeeping fails for so long. */
const DAYS_AHEAD = 3;

/** Once an hour: creates partitions ahead, drops expired ones and orphaned files of calls; once a day: compares sums with their records. */
@Injectable()
export class UsageHousekeeping extends PeriodicJob {
  private readonly log = new Logger(UsageHousekeeping.name);
  private checkedDay: string | undefined;

  constructor(
    @Inject(USAGE_CONFIG) private readonly config: UsageConfig,
    private readonly partitions: UsagePartitionsRepository,
    private readonly drift: UsageDriftRepository,
    private readonly metrics: UsageMetrics,
  ) {
    super(INTERVAL_MS, 0);
  }

  async run(now = new Date()): Promise<void> {
    await this.removeOrphans();
    const days = Array.from({ length: DAYS_AHEAD }, (_, ahead) => dayOf(now, ahead));
    await this.partitions.createAll(days);
    const oldest = dayOf(now, -this.config.retentionDays);
    const known = await this.partitions.list();
    for (const day of known) if (day < oldest) await this.partitions.delete(day);
    const yesterday = dayOf(now, -1);
    if (this.checkedDay === yesterday || !known.includes(yesterday)) return;
    await this.checkDrift(yesterday);
    this.checkedDay = yesterday;
  }

  /** Files of calls whose process died before it had journalled them. */
  async removeOrphans(): Promise<void> {
    const folder = join(this.config.dataDir, 'gateway');
    try {
      const removed = await removeOrphanedEntries(join(folder, 'calls'), join(folder, 'journal'));
      if (removed > 0) this.log.warn(`${removed} files of calls that were never journalled are removed`);
    } catch (error) {
      this.log.warn(`files of calls cannot be looked through: ${(error as NodeJS.ErrnoException).code}`);
    }
  }

  /** Counts the sums of a day (`YYYY-MM-DD`) and of its month that differ from their records; 0: no drift. */
  async checkDrift(day: string): Promise<number> {
    const hours = await this.drift.countWrongHours(day);
    const months = await this.drift.countWrongMonths(`${day.slice(0, 7)}-01`);
    this.metrics.drift = hours + months;
    if (hours + months > 0) this.log.error(`usage drift on ${day}: ${hours} hours, ${months} months`);
    return hours + months;
  }
}

const dayOf = (now: Date, ahead: number): string => new Date(now.getTime() + ahead * DAY_MS).toISOString().slice(0, 10);
