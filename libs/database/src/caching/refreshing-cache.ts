import type { LRUCache } from 'lru-cache';

import { isDatabaseUnavailable } from '../prisma/database-errors.js';
import { leastRecentlyUsed } from './least-recently-used.js';
import { SingleFlight } from './single-flight.js';

export interface RefreshingCacheOptions {
  /** Most entries; the least recently used go first. */
  readonly max: number;
  /** Age up to which a value is served without waiting; a function where it depends on the moment. */
  readonly freshMs: number | (() => number);
  /** From this age on, a use refreshes the value in the background. Default: never. */
  readonly refreshMs?: number;
  /** Age up to which a value is served while its source is unavailable. */
  readonly staleMs: number;
  /** After a failed read, known values are served this long before the source is asked again. */
  readonly retryMs: number;
  /** Whether a failed read means that the source is unavailable. Default: the database is. */
  readonly isUnavailable?: (error: unknown) => boolean;
  /** Default: `Date.now`. */
  readonly now?: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  /** When its read began: the source may have changed since. */
  readonly readMs: number;
  /** It is read again before it is served, unless the source is unavailable. */
  isInvalidated: boolean;
  /** When its last background refresh began. */
  refreshedMs: number;
}

/**
 * A cache that refreshes while it serves (stale-while-revalidate) and serves stale values while its source is
 * unavailable (stale-if-error). Reads of one key are coalesced; a read that began before an invalidation is not kept.
 * That something is missing is never cached.
 */
export class RefreshingCache<Value extends object> {
  private readonly entries: LRUCache<string, Entry<Value>>;
  private readonly reads = new SingleFlight<Value | null>();
  private readonly now: () => number;
  /** Grows with each invalidation. */
  private generation = 0;
  private unavailableUntilMs = -Infinity;

  constructor(private readonly options: RefreshingCacheOptions) {
    this.entries = leastRecentlyUsed({ max: options.max });
    this.now = options.now ?? (() => Date.now());
  }

  /**
   * The value if it is fresh, or its source was found unavailable a moment ago; undefined: {@link get} reads it.
   *
   * @param refresh reads the value, in the background
   */
  peek(key: string, refresh?: () => Promise<Value | null>): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    const { freshMs, refreshMs = Infinity, staleMs, retryMs } = this.options;
    const nowMs = this.now();
    const ageMs = nowMs - entry.readMs;
    if (entry.isInvalidated || ageMs >= (typeof freshMs === 'number' ? freshMs : freshMs())) {
      return nowMs < this.unavailableUntilMs && ageMs < staleMs ? entry.value : undefined;
    }
    if (refresh !== undefined && ageMs >= refreshMs && nowMs - entry.refreshedMs >= retryMs && !this.reads.get(key)) {
      entry.refreshedMs = nowMs;
      // Errors are dropped here: the next refresh, or the next foreground read, retries.
      this.start(key, refresh).catch(() => undefined);
    }
    return entry.value;
  }

  /**
   * The value: fresh, or read, or stale while the source is unavailable.
   *
   * @param read null: there is nothing under this key
   * @throws what `read` throws, when there is no stale value
   */
  async get(key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    const known = this.peek(key, read);
    if (known !== undefined) return known;
    const running = this.reads.get(key);
    // A shared read that found nothing is not final: the value may have been made after it began.
    return (running && (await running)) ?? this.start(key, read);
  }

  /** Deletes values that are wrong: they are not served stale either. */
  delete(isWrong: (value: Value) => boolean): void {
    this.changed();
    for (const [key, { value }] of this.entries.entries()) if (isWrong(value)) this.entries.delete(key);
  }

  /** The value may have changed: it is read before it is served again. */
  invalidate(key: string): void {
    this.changed();
    const entry = this.entries.peek(key);
    if (entry) entry.isInvalidated = true;
  }

  /** Any value may have changed. */
  invalidateAll(): void {
    this.changed();
    for (const entry of this.entries.values()) entry.isInvalidated = true;
  }

  /** News of a change also means that the source is back: the next read asks it at once. */
  private changed(): void {
    this.generation++;
    this.unavailableUntilMs = -Infinity;
    this.reads.forgetAll();
  }

  private start(key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    return this.reads.start(key, () => this.read(key, read));
  }

  private async read(key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    const generation = this.generation;
    const readMs = this.now();
    const before = this.stale(key);
    try {
      const value = await read();
      if (value === null) this.entries.delete(key);
      else if (generation === this.generation) {
        this.entries.set(key, { value, readMs, isInvalidated: false, refreshedMs: -Infinity });
      }
      return value;
    } catch (error) {
      const { isUnavailable = isDatabaseUnavailable, retryMs } = this.options;
      // A value that was deleted during the read is wrong, and not served stale.
      if (!before || this.entries.peek(key) !== before || !isUnavailable(error)) throw error;
      this.unavailableUntilMs = this.now() + retryMs;
      return before.value;
    }
  }

  private stale(key: string): Entry<Value> | undefined {
    const entry = this.entries.peek(key);
    return entry && this.now() - entry.readMs < this.options.staleMs ? entry : undefined;
  }
}
