import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, NotificationListener } from '@hone/database';
import { LRUCache } from 'lru-cache';

import { hashApiKey } from './key-format.js';
import { KeyRepository } from './key.repository.js';
import type { Principal } from './principal.js';

/** Upper bound on how long a revoked key lives where the notification did not arrive. */
const CACHE_TTL_MS = 30_000;
const CACHE_ENTRIES = 10_000;
const TOUCH_INTERVAL_MS = 60_000;
/** Its messages are the id of a user whose keys or roles changed. */
const CHANNEL = 'hone_auth';

/** Finds who a key belongs to. Cached; a change to a user reaches every process by NOTIFY. */
@Injectable()
export class KeyStore implements OnModuleInit {
  readonly #principals = new LRUCache<string, Principal>({ max: CACHE_ENTRIES, ttl: CACHE_TTL_MS });
  readonly #touched = new LRUCache<string, true>({ max: CACHE_ENTRIES, ttl: TOUCH_INTERVAL_MS });
  /** Grows with every change heard of, so that a lookup that began before one is not cached after it. */
  #generation = 0;

  constructor(
    private readonly keys: KeyRepository,
    private readonly database: Database,
    private readonly notifications: NotificationListener,
  ) {}

  async onModuleInit(): Promise<void> {
    this.notifications.onGap(() => this.#forget(() => true));
    await this.notifications.listen(CHANNEL, (userId) => this.#forgetUser(userId));
  }

  /** The key's owner; null for an unknown, revoked or expired key. */
  async find(key: string): Promise<Principal | null> {
    const hash = hashApiKey(key);
    const cacheKey = hash.toString('base64');
    let principal = this.#principals.get(cacheKey);
    if (!principal) {
      const generation = this.#generation;
      const found = await this.keys.findPrincipal(hash);
      if (!found) return null;
      principal = found;
      if (generation === this.#generation) this.#principals.set(cacheKey, principal);
    }
    if (principal.expiresAt && principal.expiresAt.getTime() <= Date.now()) return null;
    this.#touch(principal.keyId);
    return principal;
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

  #forgetUser(userId: string): void {
    this.#forget((principal) => principal.userId === userId);
  }

  #forget(matches: (principal: Principal) => boolean): void {
    this.#generation++;
    for (const [key, principal] of this.#principals.entries()) if (matches(principal)) this.#principals.delete(key);
  }

  /** Notes the use of a key, at most once a minute, without making the request wait. */
  #touch(keyId: string): void {
    if (this.#touched.has(keyId)) return;
    this.#touched.set(keyId, true);
    this.database.detached(() => this.keys.touch(keyId)).catch(() => this.#touched.delete(keyId));
  }
}
