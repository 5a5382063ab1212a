import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { FrameWriter, isTooLarge, type RecordText } from './frame.js';
import { JournalUnwritableError } from './journal.errors.js';
import { JournalHome } from './journal-home.js';
import type { RecordList } from './record-list.js';
import { Segment } from './segment.js';

export interface JournalOptions {
  /** Shared by all processes; each has its own folder in it. Created when missing. */
  folder: string;
  /** `write`: records survive a killed process. `fsync`: they survive a crashed machine as well. */
  sync: 'write' | 'fsync';
  /** A new segment begins when the current one has this many bytes. */
  maxSegmentBytes?: number;
}

/** Uncommitted records in the order they were appended; never empty. */
export interface JournalBatch {
  readonly records: RecordList;
  /** Length of the batch in the journal. */
  readonly bytes: number;
  readonly segment: Segment;
  readonly endBytes: number;
}

interface Waiting {
  record: RecordText;
  resolve: () => void;
  reject: (error: Error) => void;
}

const MAX_SEGMENT_BYTES = 4_194_304;
const MAINTAIN_MS = 1_000;
const BEAT_MS = 5_000;
const ADOPT_MS = 30_000;
/** Half of the time after which other processes consider a silent owner dead. */
const MAX_SILENCE_MS = 30_000;
/** A write that took this long met a slow disk: for {@link SLOW_DISK_MS} writes run in another thread. */
const SLOW_WRITE_MS = 20;
const SLOW_DISK_MS = 5_000;

/**
 * Write-ahead log (journal) of one process. {@link append} resolves when the record is as durable as `sync` says;
 * {@link read} and {@link commit} deliver records at least once, those of dead processes too. Our own, because the
 * libraries for Node are embedded databases: here one reader, checksums and the adoption of dead writers suffice.
 */
export class Journal {
  /** Called with the number of records that can be read now; 0: unknown. */
  onRecords: (count: number) => void = () => undefined;
  /** Bytes since the start that belonged to no valid record. */
  skippedBytes = 0;

  private readonly frames = new FrameWriter();
  private group: Waiting[] = [];
  private isWriting = false;
  private isBroken = false;
  private current: Segment | undefined;
  private readonly segments: Segment[] = [];
  private timer: NodeJS.Timeout | undefined;
  private maintaining: Promise<void> = Promise.resolve();
  private isClosed = false;
  private lastBeatMs = Date.now();
  private lastAdoptMs = Date.now();
  private slowUntilMs = 0;

  private constructor(
    private readonly options: JournalOptions,
    private home: JournalHome,
  ) {}

  /** Opens a new journal and adopts those of dead processes. @throws the folder cannot be written */
  static async open(options: JournalOptions): Promise<Journal> {
    const journal = new Journal(options, await JournalHome.create(options.folder));
    await journal.adopt();
    journal.maintainLater();
    return journal;
  }

  /** False: {@link append} would fail now. */
  get isWritable(): boolean {
    return !this.isBroken && !this.isClosed && Date.now() - this.lastBeatMs < MAX_SILENCE_MS;
  }

  /** Bytes that are journalled and not committed yet. */
  get lagBytes(): number {
    return this.segments.reduce((sum, { safeBytes, committedBytes }) => sum + safeBytes - committedBytes, 0);
  }

  /**
   * Appends a record by group commit: records of one turn of the event loop, and those that arrive while a write is in
   * flight, share the next write. There is no delay to collect more, so a record waits for two `fsync` calls at most.
   * Our own, because batching libraries collect by a timer or a size: here the running write closes the group.
   *
   * @param record text of an object; it may be followed by what is no JSON, up to a closing brace
   * @throws JournalUnwritableError the record is not stored (the promise is rejected)
   */
  append(record: RecordText): Promise<void> {
    if (!this.isWritable) return Promise.reject(new JournalUnwritableError());
    if (isTooLarge(record))
      return Promise.reject(new JournalUnwritableError(new RangeError('The record is too large.')));
    return new Promise((resolve, reject) => {
      this.group.push({ record, resolve, reject });
      if (this.isWriting) return;
      this.isWriting = true;
      setImmediate(() => void this.writeAll());
    });
  }

  /** The oldest uncommitted records; null: there are none. One reader at a time. */
  async read(max: number): Promise<JournalBatch | null> {
    // The current segment may grow forever: finished segments and adopted ones go first.
    const finished = this.segments.filter((segment) => segment !== this.current);
    for (const segment of this.current ? [...finished, this.current] : finished) {
      while (segment.committedBytes < segment.safeBytes) {
        const { records, endBytes, skippedBytes } = await segment.read(max);
        this.skippedBytes += skippedBytes;
        if (records.length > 0) return { records, segment, endBytes, bytes: endBytes - segment.committedBytes };
        segment.committedBytes = endBytes;
      }
      await this.removeIfDone(segment);
    }
    return null;
  }

  /** The records of the batch are stored elsewhere: they are not read again. */
  async commit({ segment, endBytes }: JournalBatch): Promise<void> {
    segment.committedBytes = endBytes;
    await this.removeIfDone(segment);
  }

  /** Where {@link setAside} writes. */
  get rejectedFile(): string {
    return join(this.options.folder, 'rejected.jsonl');
  }

  /** Moves a record that the database always rejects to `rejected.jsonl` (dead letter), for the operator to inspect. */
  async setAside(payload: string): Promise<void> {
    await appendFile(this.rejectedFile, `${payload}\n`, { mode: 0o600 });
  }

  /** Runs once a second: heartbeat, recovery from a full disk, adoption of the journals of dead processes. */
  maintain(nowMs = Date.now()): Promise<void> {
    return (this.maintaining = this.sweep(nowMs));
  }

  /** Call it after the last append. Uncommitted records are left to the next process. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.maintaining.catch(() => undefined); // a heartbeat that missed the released folder would create another
    while (this.isWriting) await new Promise((resolve) => setImmediate(resolve));
    const hasRecords = this.lagBytes > 0;
    await this.seal();
    await this.home.release(hasRecords);
  }

  private async writeAll(): Promise<void> {
    while (this.group.length) {
      const group = this.group;
      this.group = [];
      try {
        const segment = await this.writableSegment();
        const frames = this.frames.write(group.map(({ record }) => record));
        await this.write(segment, frames);
      } catch (error) {
        this.isBroken = true;
        await this.seal().catch(() => undefined);
        for (const { reject } of group) reject(new JournalUnwritableError(error));
        continue;
      }
      for (const { resolve } of group) resolve();
      this.onRecords(group.length);
    }
    this.isWriting = false;
  }

  /** Without `fsync` the write is synchronous: it is a copy into the page cache, cheaper than another thread. */
  private write(segment: Segment, bytes: Buffer): void | Promise<void> {
    const startedMs = performance.now();
    if (this.options.sync === 'fsync' || startedMs < this.slowUntilMs) {
      return segment.append(bytes, this.options.sync === 'fsync');
    }
    segment.appendNow(bytes);
    const nowMs = performance.now();
    if (nowMs - startedMs > SLOW_WRITE_MS) this.slowUntilMs = nowMs + SLOW_DISK_MS;
  }

  private async writableSegment(): Promise<Segment> {
    const limit = this.options.maxSegmentBytes ?? MAX_SEGMENT_BYTES;
    if (this.current && this.current.safeBytes < limit) return this.current;
    await this.seal();
    const segment = await Segment.create(this.home.newSegmentPath());
    this.segments.push(segment);
    this.current = segment;
    if (this.options.sync === 'fsync') await this.home.syncNames();
    return segment;
  }

  private async seal(): Promise<void> {
    const current = this.current;
    this.current = undefined;
    await current?.seal();
  }

  private async removeIfDone(segment: Segment): Promise<void> {
    const index = this.segments.indexOf(segment);
    if (!segment.isDone || index < 0) return;
    this.segments.splice(index, 1);
    await segment.remove();
    await this.home.prune(dirname(segment.path));
  }

  private async adopt(): Promise<void> {
    this.lastAdoptMs = Date.now();
    const paths = await this.home.adopt();
    for (const path of paths) this.segments.push(await Segment.ofOrphan(path));
    if (paths.length) this.onRecords(0);
  }

  private async sweep(nowMs: number): Promise<void> {
    if (this.isClosed) return;
    if (nowMs - this.lastBeatMs >= BEAT_MS) await this.beat();
    if (this.isBroken) {
      await this.home.probe();
      this.isBroken = false;
    }
    if (nowMs - this.lastAdoptMs >= ADOPT_MS) await this.adopt();
  }

  private maintainLater(): void {
    const maintain = async () => {
      await this.maintain().catch(() => undefined); // `isWritable` reports it; the next run retries
      if (!this.isClosed) this.maintainLater();
    };
    this.timer = setTimeout(() => void maintain(), MAINTAIN_MS).unref();
  }

  /** After a long freeze other processes may have adopted the folder and deliver its records: a new one is created. */
  private async beat(): Promise<void> {
    try {
      await this.home.beat();
    } catch {
      await this.seal().catch(() => undefined);
      this.segments.splice(0);
      this.home = await JournalHome.create(this.options.folder);
    }
    this.lastBeatMs = Date.now();
  }
}
