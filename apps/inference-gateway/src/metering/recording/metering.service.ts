import { join } from 'node:path';

import { isDatabaseFull } from '@hone/database';
import { DiskState, isDiskFull } from '@hone/platform';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import type { CallEntry } from '../../call-log/call-entry.js';
import { CallLog } from '../../call-log/call-log.service.js';
import { SEPARATOR, type TextParts, uidOf } from '../../call-log/journalled-entry.js';
import { SYSTEM_CLOCK } from '../../shared/time/clock.js';
import { Journal } from '../journal/journal.js';
import { RecordList } from '../journal/record-list.js';
import { UsageLimiter } from '../limits/usage-limiter.js';
import { billOf } from '../records/cost.js';
import { attemptsJson, recordJson } from '../records/record-json.js';
import type { UsageRecord } from '../records/usage-record.js';
import { MeteringUnavailableError, type UsageRecordsRejectedError } from './metering.errors.js';
import { USAGE_CONFIG, type UsageConfig } from './usage.config.js';
import { UsageMetrics } from './usage-metrics.js';
import { UsageRecordsRepository } from './usage-records.repository.js';
import { UsageWriter } from './usage-writer.js';

/** A usage record as text, with the entry of its call, if it has one. */
interface WrittenRecord {
  readonly uid: string;
  readonly costNanoUsd: number;
  readonly parts: TextParts;
}

/** Records the usage of every request, before the last bytes of its answer are sent. */
@Injectable()
export class MeteringService implements OnModuleInit, OnApplicationShutdown {
  private journal!: Journal;
  private writer!: UsageWriter;
  private isOpen = false;
  private readonly logger = new Logger(MeteringService.name);

  constructor(
    @Inject(USAGE_CONFIG) private readonly config: UsageConfig,
    private readonly records: UsageRecordsRepository,
    private readonly log: CallLog,
    private readonly limiter: UsageLimiter,
    private readonly metrics: UsageMetrics,
    private readonly disk: DiskState,
  ) {}

  async onModuleInit(): Promise<void> {
    const { dataDir, journal } = this.config;
    this.journal = await Journal.open({ folder: join(dataDir, 'gateway', 'journal'), sync: journal.sync });
    this.writer = new UsageWriter(this.journal, this.records, {
      clock: SYSTEM_CLOCK,
      onFailure: (error) => {
        this.metrics.writeFailures.add(1);
        if (isDatabaseFull(error)) this.noteFull('the disk of the database is full: usage waits in the journal');
      },
      onRejected: (error, record) => this.setAside(error, record),
      onCaughtUp: (sinceMs) => this.limiter.onCommitted(sinceMs),
    });
    this.writer.start();
    this.observe();
    this.isOpen = true;
  }

  /** Call it before a request starts. @throws MeteringUnavailableError its usage could not be recorded */
  assertAvailable(): void {
    if (!this.journal.isWritable && this.config.journal.onFailure === 'refuse') throw new MeteringUnavailableError();
  }

  /**
   * Appends a record to the journal, with the call that the request was. When it resolves, both are as durable as
   * `journal.sync` says.
   *
   * @param entry null: the request is not kept as a call
   * @returns cost of the request in nano-USD
   * @throws MeteringUnavailableError it was not recorded, and `on_failure` is `refuse`
   */
  record(record: UsageRecord, entry: CallEntry | null = null): Promise<number> {
    const bill = billOf(record);
    const attempts = attemptsJson(record);
    const { uid } = record;
    const { costNanoUsd } = bill;
    const usage = recordJson(record, bill, attempts);
    if (entry === null) return this.append({ uid, costNanoUsd, parts: [usage] });
    const call = this.log.journalled(record, attempts, entry);
    const append = (parts: TextParts) => this.append({ uid, costNanoUsd, parts: [usage, SEPARATOR, ...parts] });
    return call instanceof Promise
      ? call.then(append, (error: unknown) => this.notJournalled({ uid, costNanoUsd, parts: [usage] }, error))
      : append(call);
  }

  private append(record: WrittenRecord): Promise<number> {
    return this.journal.append(record.parts).then(
      () => record.costNanoUsd,
      (error: unknown) => this.notJournalled(record, error),
    );
  }

  /** Writes all journalled records to the database. */
  async flush(): Promise<void> {
    await this.writer.flush();
  }

  /** A failed start may end before the journal is open. */
  async onApplicationShutdown(): Promise<void> {
    if (!this.isOpen) return;
    await this.writer.stop();
    await this.writer.flush().catch(() => undefined); // the records stay in the journal for the next start
    await this.journal.close();
  }

  private notJournalled({ uid, costNanoUsd, parts }: WrittenRecord, error: unknown): number {
    this.metrics.unjournalled.add(1);
    if (isDiskFull((error as Error).cause)) this.noteFull('the disk of the usage journal is full');
    if (this.config.journal.onFailure === 'refuse') throw new MeteringUnavailableError(error);
    // Best effort: the database may be available although the disk is full.
    const whole = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
    this.records.insertAll(RecordList.of([whole])).catch(() => {
      this.metrics.rejected.add(1);
      this.logger.error(`usage record ${uid} is lost: neither the journal nor the database takes it`);
    });
    return costNanoUsd;
  }

  private noteFull(sentence: string): void {
    this.disk.noteFull();
    this.logger.error(sentence);
  }

  /** The database's message quotes the record: only its code belongs in a log. */
  private setAside({ sqlState }: UsageRecordsRejectedError, record: string): void {
    this.metrics.rejected.add(1);
    const reason = `the database rejects it with SQLSTATE ${sqlState}`;
    this.logger.error(
      `usage record ${uidOf(Buffer.from(record))} is set aside in ${this.journal.rejectedFile}: ${reason}`,
    );
  }

  private observe(): void {
    const { metrics } = this;
    metrics.observe('journal_lag_bytes', 'Journalled and not yet in the database.', () => this.journal.lagBytes);
    metrics.observe('journal_lag_seconds', 'Age of the oldest such record.', () => this.writer.lagMs / 1_000);
    metrics.observe('journal_skipped_bytes', 'Torn or damaged parts of journals.', () => this.journal.skippedBytes);
    metrics.observe('journal_writable', '1 while usage can be journalled.', () => Number(this.journal.isWritable));
  }
}
