import { LRUCache } from 'lru-cache';

export interface LeastRecentlyUsedOptions {
  /** Most entries; the least recently used go first. */
  readonly max: number;
  /** Entries expire after so many milliseconds. Default: never. */
  readonly ttl?: number;
}

/** A bounded cache that grows with its entries. With the option `max`, lru-cache allocates for all of them at once. */
export const leastRecentlyUsed = <Value extends NonNullable<unknown>>({
  max,
  ttl,
}: LeastRecentlyUsedOptions): LRUCache<string, Value> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1, ...(ttl !== undefined && { ttl }) });
