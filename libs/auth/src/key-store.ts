import { Database, leastRecentlyUsed, NotificationListener, RefreshingCache } from '@hone/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';

import { KeyRepository } from './key.repository.js';
import { PresentedKey } from './presented-key.js';
import type { Principal } from './principal.js';
import { SessionRepository } from './session.repository.js';

const CACHE_ENTRIES = 10_000;
const TOUCH_INTERVAL_MS = 60_000;
/** NOTIFY channel: the keys or roles of a user changed. Payload: the user's id. */
const CHANNEL = 'hone_auth';

/** Finds the owners of keys. Cached; a change to a user reaches every process by NOTIFY. */
@Injectable()
export class KeyStore implements OnModuleInit {
  private readonly principals = new RefreshingCache<Principal>({
    max: CACHE_ENTRIES,
    // Upper bound on how long a revoked key stays valid where the notification did not arrive.
    freshMs: 30_000,
    refreshMs: 20_000,
    staleMs: 600_000,
    retryMs: 2_000,
  });
  private readonly touched = leastRecentlyUsed<true>({ max: CACHE_ENTRIES, ttl: TOUCH_INTERVAL_MS });

  constructor(
    private readonly keys: KeyRepository,
    private readonly sessions: SessionRepository,
    private readonly database: Database,
    private readonly notifications: NotificationListener,
  ) {}

  async onModuleInit(): Promise<void> {
    this.notifications.onGap(() => this.principals.invalidateAll());
    await this.notifications.listen(CHANNEL, (userId) => this.forgetUser(userId));
  }

  /**
   * The key's owner; null for an unknown, revoked or expired key. While the database is unavailable, keys that were
   * looked up in the ten minutes before stay valid.
   */
  async find(key: string | PresentedKey): Promise<Principal | null> {
    const presented = typeof key === 'string' ? new PresentedKey(key) : key;
    const principal = await this.principals.get(presented.id, () => this.read(presented));
    return principal && this.accept(principal);
  }

  /** What {@link find} would return, if the cache can say; undefined: it cannot. */
  recall(key: PresentedKey): Principal | null | undefined {
    const principal = this.principals.peek(key.id, () => this.read(key));
    return principal && this.accept(principal);
  }

  /** The owner of the key that a session was opened with; null for an unknown or ended session. Cached like keys. */
  async findSession(token: string): Promise<Principal | null> {
    return this.find(new PresentedKey(token, 'session'));
  }

  /** The caller with the roles of this moment, not those of the cache; null when their key has ended. */
  async reload(caller: Principal): Promise<Principal | null> {
    return this.findById(caller.keyId);
  }

  /** The owner of a live key by the key's row id, not cached. */
  async findById(keyId: string): Promise<Principal | null> {
    return this.keys.findPrincipalById(keyId);
  }

  /**
   * Notifies every process that a user's keys or roles changed; inside a transaction, at its commit. This process does
   * not wait for its own notification: the answer to a revocation must not overtake it.
   */
  async announceChange(userId: string): Promise<void> {
    await this.database.notify(CHANNEL, userId);
    await this.database.afterCommit(() => this.forgetUser(userId));
  }

  /** Outside the transaction of the caller that happens to be the first: others share the read. */
  private read({ hash, kind }: PresentedKey): Promise<Principal | null> {
    return this.database.detached(() =>
      kind === 'key' ? this.keys.findPrincipal(hash) : this.keys.findSessionPrincipal(hash),
    );
  }

  private forgetUser(userId: string): void {
    this.principals.delete((principal) => principal.userId === userId);
  }

  /** Null: the key has expired. */
  private accept(principal: Principal): Principal | null {
    if (principal.expiresAt && principal.expiresAt.getTime() <= Date.now()) return null;
    const { keyId, sessionId } = principal;
    this.touch(keyId, () => this.keys.touch(keyId));
    if (sessionId !== null) this.touch(sessionId, () => this.sessions.extend(sessionId));
    return principal;
  }

  /** Records the use of a key or session, at most once a minute, without making the request wait. */
  private touch(id: string, record: () => Promise<void>): void {
    if (this.touched.has(id)) return;
    this.touched.set(id, true);
    this.database.detached(record).catch(() => this.touched.delete(id));
  }
}
