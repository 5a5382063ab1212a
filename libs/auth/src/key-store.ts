import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, isDatabaseUnavailable, NotificationListener, SingleFlight } from '@hone/database';
import { LRUCache } from 'lru-cache';

import { KeyRepository } from './key.repository.js';
import { PresentedKey } from './presented-key.js';
import type { Principal } from './principal.js';

/** Upper bound on how long a revoked key lives where the notification did not arrive. */
const FRESH_MS = 30_000;
/** From this age on a key that is used is read again, and nobody waits for it. */
const REFRESH_MS = 20_000;
/** So long a key that was looked up is good for while the database is away. */
const KEPT_MS = 600_000;
/** After a failure the database is left alone for so long where the answer is known. */
const AWAY_MS = 2_000;
const CACHE_ENTRIES = 10_000;
const TOUCH_INTERVAL_MS = 60_000;
/** Its messages are the id of a user whose keys or roles changed. */
const CHANNEL = 'hone_auth';

interface Known {
  readonly principal: Principal;
  readonly readMs: number;
  /** It may have changed: it is read again as soon as that is possible. */
  isOutdated: boolean;
  /** It is being read again, or that did not work. */
  isRefreshing: boolean;
}

/** Finds who a key belongs to. Cached; a change to a user reaches every process by NOTIFY. */
@Injectable()
export class KeyStore implements OnModuleInit {
  readonly #known = new LRUCache<string, Known>({ max: CACHE_ENTRIES });
  readonly #touched = new LRUCache<string, true>({ max: CACHE_ENTRIES, ttl: TOUCH_INTERVAL_MS });
  readonly #reads = new SingleFlight<Principal | null>();
  /** Grows with every change heard of, so that a lookup that began before one is not cached after it. */
  #generation = 0;
  #awayUntilMs = 0;

  constructor(
    private readonly keys: KeyRepository,
    private readonly database: Database,
    private readonly notifications: NotificationListener,
  ) {}

  async onModuleInit(): Promise<void> {
    this.notifications.onGap(() => this.#invalidateAll());
    await this.notifications.listen(CHANNEL, (userId) => this.#forgetUser(userId));
  }

  /**
   * The key's owner; null for an unknown, revoked or expired key. While the database is away, keys that were looked up
   * in the ten minutes before are still known.
   */
  async find(key: string | PresentedKey): Promise<Principal | null> {
    const presented = typeof key === 'string' ? new PresentedKey(key) : key;
    const { hash, id } = presented;
    const recalled = this.recall(presented);
    if (recalled !== undefined) return recalled;
    const known = this.#known.get(id);
    const isKept = known !== undefined && Date.now() - known.readMs < KEPT_MS;
    const reading = this.#reads.get(id);
    // That a read found nothing says nothing to who came after it began: the key may have been made meanwhile.
    const principal = (reading && (await reading)) ?? (await this.#begin(hash, id, isKept ? known : undefined));
    return principal && this.#accept(principal);
  }

  /** What {@link find} would say, if it can say so without the database; undefined: it cannot. */
  recall(key: PresentedKey): Principal | null | undefined {
    const known = this.#known.get(key.id);
    if (known === undefined || known.isOutdated) return undefined;
    const ageMs = Date.now() - known.readMs;
    if (ageMs >= FRESH_MS) return undefined;
    if (ageMs >= REFRESH_MS) this.#refresh(key, known);
    return this.#accept(known.principal);
  }

  /** The caller with the roles of this moment, not those of the cache; null when their key has ended. */
  async reload(caller: Principal): Promise<Principal | null> {
    return this.keys.findPrincipalById(caller.keyId);
  }

  /**
   * Tells every process that a user's keys or roles changed; inside a transaction, at its commit. This process does not
   * wait for its own notification: the answer to a revocation must not overtake it.
   */
  async announceChange(userId: string): Promise<void> {
    await this.database.notify(CHANNEL, userId);
    this.database.afterCommit(() => this.#forgetUser(userId));
  }

  /** Once for each time it was read; what does not work now is tried again by who has to wait for it. */
  #refresh({ hash, id }: PresentedKey, known: Known): void {
    if (known.isRefreshing) return;
    known.isRefreshing = true;
    this.#begin(hash, id, known).catch(() => undefined);
  }

  /** Outside the transaction of whoever happens to be the first to ask. */
  #begin(hash: Buffer, id: string, known: Known | undefined): Promise<Principal | null> {
    return this.#reads.start(id, () => this.database.detached(() => this.#read(hash, id, known)));
  }

  async #read(hash: Buffer, cacheKey: string, known: Known | undefined): Promise<Principal | null> {
    if (known && Date.now() < this.#awayUntilMs) return known.principal;
    const generation = this.#generation;
    try {
      const principal = await this.keys.findPrincipal(hash);
      if (!principal) this.#known.delete(cacheKey);
      else if (generation === this.#generation) {
        this.#known.set(cacheKey, { principal, readMs: Date.now(), isOutdated: false, isRefreshing: false });
      }
      return principal;
    } catch (error) {
      // One that was forgotten while it was read has changed: what was known of it is wrong.
      if (!known || this.#known.get(cacheKey) !== known || !isDatabaseUnavailable(error)) throw error;
      this.#awayUntilMs = Date.now() + AWAY_MS;
      return known.principal;
    }
  }

  #forgetUser(userId: string): void {
    this.#generation++;
    this.#reads.forgetAll();
    for (const [key, { principal }] of this.#known.entries()) if (principal.userId === userId) this.#known.delete(key);
  }

  #invalidateAll(): void {
    this.#generation++;
    this.#reads.forgetAll();
    this.#awayUntilMs = 0;
    for (const known of this.#known.values()) known.isOutdated = true;
  }

  /** Null: the key has expired. */
  #accept(principal: Principal): Principal | null {
    if (principal.expiresAt && principal.expiresAt.getTime() <= Date.now()) return null;
    this.#touch(principal.keyId);
    return principal;
  }

  /** Notes the use of a key, at most once a minute, without making the request wait. */
  #touch(keyId: string): void {
    if (this.#touched.has(keyId)) return;
    this.#touched.set(keyId, true);
    this.database.detached(() => this.keys.touch(keyId)).catch(() => this.#touched.delete(keyId));
  }
}
