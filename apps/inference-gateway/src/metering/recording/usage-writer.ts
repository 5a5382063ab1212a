import type { Clock, Timer } from '../../shared/time/clock.js';
import type { Journal } from '../journal/journal.js';
import type { RecordList } from '../journal/record-list.js';
import { UsageRecordsRejectedError } from './metering.errors.js';

/** Destination of the records. */
export interface UsageStore {
  /** Stores all records or none; ignores records that exist. @throws UsageRecordsRejectedError */
  insertAll(records: RecordList): Promise<void>;
}

export interface UsageWriterOptions {
  clock: Clock;
  /** A batch failed and will be retried. */
  onFailure?: (error: unknown) => void;
  /** A record was set aside: the store always rejects it. */
  onRejected?: (error: UsageRecordsRejectedError, record: string) => void;
  /** All records that were appended before `sinceMs` (of the clock) are committed. */
  onCaughtUp?: (sinceMs: number) => void;
}

const MAX_RECORDS = 1_000;
const MAX_DELAY_MS = 250;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;

/** Moves records from the journal to the database, in batches; while the database is unavailable the journal grows. */
export class UsageWriter {
  private timer: Timer | undefined;
  private running: Promise<void> | undefined;
  private waiting = 0;
  private isStopped = false;
  private retryMs = FIRST_RETRY_MS;
  /** Upper bound of the oldest waiting record's age; undefined: none waits. */
  private oldestMs: number | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly store: UsageStore,
    private readonly options: UsageWriterOptions,
  ) {}

  start(): void {
    this.journal.onRecords = (count) => this.onRecords(count);
    this.onRecords(0); // records of former processes
  }

  /** Age of the oldest record that may be waiting; 0: none. */
  get lagMs(): number {
    return this.oldestMs === undefined ? 0 : this.options.clock.now() - this.oldestMs;
  }

  /** Writes all records now. @throws the error of the store */
  async flush(): Promise<void> {
    while (this.running) await this.running; // one reader at a time
    this.cancelTimer();
    const writing = this.writeAll();
    this.running = writing.then(
      () => this.ended(MAX_DELAY_MS),
      () => this.ended(this.retryMs),
    );
    await writing;
  }

  /** Waits for the running batch; unwritten records stay in the journal. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelTimer();
    this.journal.onRecords = () => undefined;
    await this.running;
  }

  private onRecords(count: number): void {
    this.waiting += count;
    if (this.journal.lagBytes > 0) this.oldestMs ??= this.options.clock.now();
    if (this.running || this.isStopped) return;
    if (this.waiting >= MAX_RECORDS && this.retryMs === FIRST_RETRY_MS) this.run();
    else this.runIn(this.retryMs === FIRST_RETRY_MS ? MAX_DELAY_MS : this.retryMs);
  }

  private runIn(ms: number): void {
    this.timer ??= this.options.clock.after(ms, () => this.run());
  }

  private cancelTimer(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }

  private run(): void {
    this.cancelTimer();
    this.running = this.writeAll().then(
      () => this.ended(MAX_DELAY_MS),
      (error: unknown) => {
        this.options.onFailure?.(error);
        this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
        this.ended(this.retryMs);
      },
    );
  }

  private ended(pauseMs: number): void {
    this.running = undefined;
    if (this.journal.lagBytes > 0 && !this.isStopped) this.runIn(pauseMs);
  }

  /** Writes the records that existed when it began, and full batches that arrived since. */
  private async writeAll(): Promise<void> {
    const sinceMs = this.options.clock.now();
    this.waiting = 0;
    for (let left = this.journal.lagBytes; left > 0 || this.waiting >= MAX_RECORDS;) {
      if (left <= 0) this.waiting = 0;
      const batch = await this.journal.read(MAX_RECORDS);
      if (!batch) break;
      left -= batch.bytes;
      await this.insert(batch.records);
      await this.journal.commit(batch);
    }
    this.retryMs = FIRST_RETRY_MS;
    this.oldestMs = this.journal.lagBytes > 0 ? sinceMs : undefined;
    this.options.onCaughtUp?.(sinceMs);
  }

  /** Finds a rejected record by bisection: only that one is set aside. */
  private async insert(records: RecordList): Promise<void> {
    try {
      await this.store.insertAll(records);
    } catch (error) {
      if (!(error instanceof UsageRecordsRejectedError)) throw error;
      if (records.length === 1) {
        const [record = ''] = records.texts();
        await this.journal.setAside(record);
        this.options.onRejected?.(error, record);
        return;
      }
      const half = records.length >> 1;
      await this.insert(records.slice(0, half));
      await this.insert(records.slice(half));
    }
  }
}
