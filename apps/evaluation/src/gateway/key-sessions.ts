import { KeyStore, SESSION_COOKIE, SESSION_HEADER, SessionRepository } from '@hone/auth';
import { leastRecentlyUsed } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { KeyEndedError } from './gateway-session.js';

const MAX_SESSIONS = 1_000;
const SESSION_USED_MS = 6 * 3_600_000;

/** Headers that say in whose name a request is. */
export type SessionHeaders = Readonly<Record<string, string>>;

/**
 * Opens sessions with keys, as a signed-in browser has one, so that Hone's other services do what the owner of a key may do. A
 * session ends with its key; the token is in memory alone.
 */
@Injectable()
export class KeySessions {
  private readonly tokens = leastRecentlyUsed<Promise<string>>({ max: MAX_SESSIONS, ttl: SESSION_USED_MS });

  constructor(
    private readonly keys: KeyStore,
    private readonly sessions: SessionRepository,
  ) {}

  /** Not within a transaction: no other service would know the session yet. @throws KeyEndedError */
  async headersOf(keyId: string): Promise<SessionHeaders> {
    return { cookie: `${SESSION_COOKIE}=${await this.tokenOf(keyId)}`, [SESSION_HEADER]: '1' };
  }

  /** After a service did not accept it: the next request opens a new one. */
  forget(keyId: string): void {
    this.tokens.delete(keyId);
  }

  private tokenOf(keyId: string): Promise<string> {
    const known = this.tokens.get(keyId);
    if (known !== undefined) return known;
    const opened = this.open(keyId);
    this.tokens.set(keyId, opened);
    opened.catch(() => this.tokens.delete(keyId));
    return opened;
  }

  private async open(keyId: string): Promise<string> {
    if ((await this.keys.findById(keyId)) === null)
      throw new KeyEndedError('The key in whose name models are asked has ended.');
    return (await this.sessions.open(keyId)).secret;
  }
}
