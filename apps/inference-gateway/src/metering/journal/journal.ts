import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { FrameWriter, isTooLarge } from './frame.js';
import { JournalHome } from './journal-home.js';
import { JournalUnwritableError } from './journal.errors.js';
import type { RecordList } from './record-list.js';
import { Segment } from './segment.js';

export interface JournalOptions {
  /** Shared by all processes; each has a folder of its own in it. Made when missing. */
  folder: string;
  /** `write`: records survive a killed process. `fsync`: a crashed machine as well. */
  sync: 'write' | 'fsync';
  /** A segment that has this much is followed by a new one. */
  maxSegmentBytes?: number;
}

/** Uncommitted records in the order they were appended; never empty. */
export interface JournalBatch {
  readonly records: RecordList;
  /** Length in the journal. */
  readonly bytes: number;
  readonly segment: Segment;
  readonly endBytes: number;
}

interface Waiting {
  json: string;
  resolve: () => void;
  reject: (error: Error) => void;
}

const MAX_SEGMENT_BYTES = 4_194_304;
const MAINTAIN_MS = 1_000;
const BEAT_MS = 5_000;
const ADOPT_MS = 30_000;
/** Half of what others wait before they take a silent owner for dead. */
const MAX_SILENCE_MS = 30_000;
/** A write that took this long met a disk that is behind: for a while others wait for it in another thread. */
const SLOW_WRITE_MS = 20;
const SLOW_DISK_MS = 5_000;

/**
 * Write-ahead journal of one process. {@link append} resolves when the record is as safe as asked for; {@link read}
 * and {@link commit} hand records on, each at least once, those of dead processes too.
 */
export class Journal {
  /** Called with the number of records that came to be read; 0: an unknown number. */
  onRecords: (count: number) => void = () => undefined;
  /** Bytes that belonged to no good record, since the start. */
  skippedBytes = 0;

  readonly #frames = new FrameWriter();
  #group: Waiting[] = [];
  #isWriting = false;
  #isBroken = false;
  #current: Segment | undefined;
  readonly #segments: Segment[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #lastBeatMs = Date.now();
  #lastAdoptMs = Date.now();
  #slowUntilMs = 0;

  private constructor(
    private readonly options: JournalOptions,
    private home: JournalHome,
  ) {}

  /** Takes over what dead processes left. @throws the folder cannot be written */
  static async open(options: JournalOptions): Promise<Journal> {
    const journal = new Journal(options, await JournalHome.create(options.folder));
    await journal.#adopt();
    journal.#maintainLater();
    return journal;
  }

  /** False: an {@link append} would be refused now. */
  get isWritable(): boolean {
    return !this.#isBroken && !this.#isClosed && Date.now() - this.#lastBeatMs < MAX_SILENCE_MS;
  }

  /** Bytes that are not committed yet. */
  get lagBytes(): number {
    return this.#segments.reduce((sum, { safeBytes, committedBytes }) => sum + safeBytes - committedBytes, 0);
  }

  /**
   * Records of one turn of the event loop, and those that come while a write is under way, share one write; nobody
   * waits for companions, so that with `fsync` a record waits for two of them at most.
   *
   * @param json text of an object
   * @throws JournalUnwritableError the record is not stored
   */
  append(json: string): Promise<void> {
    if (!this.isWritable) return Promise.reject(new JournalUnwritableError());
    if (isTooLarge(json)) return Promise.reject(new JournalUnwritableError(new RangeError('The record is too large.')));
    return new Promise((resolve, reject) => {
      this.#group.push({ json, resolve, reject });
      if (this.#isWriting) return;
      this.#isWriting = true;
      setImmediate(() => void this.#writeAll());
    });
  }

  /** The oldest records that are not committed; null: there are none. One reader at a time. */
  async read(max: number): Promise<JournalBatch | null> {
    // Our own last segment may never come to an end: those of the dead go first.
    const finished = this.#segments.filter((segment) => segment !== this.#current);
    for (const segment of this.#current ? [...finished, this.#current] : finished) {
      while (segment.committedBytes < segment.safeBytes) {
        const { records, endBytes, skippedBytes } = await segment.read(max);
        this.skippedBytes += skippedBytes;
        if (records.length > 0) return { records, segment, endBytes, bytes: endBytes - segment.committedBytes };
        segment.committedBytes = endBytes;
      }
      await this.#removeIfDone(segment);
    }
    return null;
  }

  /** The records of the batch are in a safe place: they are not read again. */
  async commit({ segment, endBytes }: JournalBatch): Promise<void> {
    segment.committedBytes = endBytes;
    await this.#removeIfDone(segment);
  }

  /** Keeps a record that nobody will ever take, for people to look at; the reader goes on behind it. */
  async setAside(payload: string): Promise<void> {
    await appendFile(join(this.options.folder, 'rejected.jsonl'), `${payload}\n`, { mode: 0o600 });
  }

  /** Runs once a second: signs of life, the way back from a full disk, the journals of processes that died. */
  async maintain(nowMs = Date.now()): Promise<void> {
    if (nowMs - this.#lastBeatMs >= BEAT_MS) await this.#beat();
    if (this.#isBroken) {
      await this.home.probe();
      this.#isBroken = false;
    }
    if (nowMs - this.#lastAdoptMs >= ADOPT_MS) await this.#adopt();
  }

  /** Call it when nothing is appended any more. Records that are not committed are left to the next process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    while (this.#isWriting) await new Promise((resolve) => setImmediate(resolve));
    const hasRecords = this.lagBytes > 0;
    await this.#seal();
    await this.home.release(hasRecords);
  }

  async #writeAll(): Promise<void> {
    while (this.#group.length) {
      const group = this.#group;
      this.#group = [];
      try {
        const segment = await this.#writableSegment();
        const frames = this.#frames.write(group.map(({ json }) => json));
        await this.#write(segment, frames);
      } catch (error) {
        this.#isBroken = true;
        await this.#seal().catch(() => undefined);
        for (const { reject } of group) reject(new JournalUnwritableError(error));
        continue;
      }
      for (const { resolve } of group) resolve();
      this.onRecords(group.length);
    }
    this.#isWriting = false;
  }

  /** What only the operating system has to take is written here and now: it is a copy, mostly. */
  #write(segment: Segment, bytes: Buffer): void | Promise<void> {
    const startedMs = performance.now();
    if (this.options.sync === 'fsync' || startedMs < this.#slowUntilMs) {
      return segment.append(bytes, this.options.sync === 'fsync');
    }
    segment.appendNow(bytes);
    const nowMs = performance.now();
    if (nowMs - startedMs > SLOW_WRITE_MS) this.#slowUntilMs = nowMs + SLOW_DISK_MS;
  }

  async #writableSegment(): Promise<Segment> {
    const limit = this.options.maxSegmentBytes ?? MAX_SEGMENT_BYTES;
    if (this.#current && this.#current.safeBytes < limit) return this.#current;
    await this.#seal();
    const segment = await Segment.create(this.home.newSegmentPath());
    this.#segments.push(segment);
    this.#current = segment;
    if (this.options.sync === 'fsync') await this.home.syncNames();
    return segment;
  }

  async #seal(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.seal();
  }

  async #removeIfDone(segment: Segment): Promise<void> {
    const index = this.#segments.indexOf(segment);
    if (!segment.isDone || index < 0) return;
    this.#segments.splice(index, 1);
    await segment.remove();
    await this.home.prune(dirname(segment.path));
  }

  async #adopt(): Promise<void> {
    this.#lastAdoptMs = Date.now();
    const paths = await this.home.adopt();
    for (const path of paths) this.#segments.push(await Segment.ofOrphan(path));
    if (paths.length) this.onRecords(0);
  }

  #maintainLater(): void {
    const maintain = async () => {
      await this.maintain().catch(() => undefined); // `isWritable` tells; a second later it is tried again
      if (!this.#isClosed) this.#maintainLater();
    };
    this.#timer = setTimeout(() => void maintain(), MAINTAIN_MS).unref();
  }

  /** After a long silence others may have taken our folder for a dead one's: they hand on what was in it. */
  async #beat(): Promise<void> {
    try {
      await this.home.beat();
    } catch {
      await this.#seal().catch(() => undefined);
      this.#segments.splice(0);
      this.home = await JournalHome.create(this.options.folder);
    }
    this.#lastBeatMs = Date.now();
  }
}
