import { AuditLog, AuthLimits, KeyStore, type Principal, SessionRepository } from '@hone/auth';
import type { SessionDto, SignInCodeDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { RateLimitedError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { SessionMissingError, SignInCodeInvalidError } from './sessions.errors.js';
import { SessionsRepository } from './sessions.repository.js';

const SIGN_IN_PATH = '/console/sign-in#';

/** A session that was just opened: its cookie, and what the caller may know. */
export interface OpenedSession {
  readonly token: string;
  readonly session: SessionDto;
}

@Injectable()
export class SessionsService {
  constructor(
    private readonly opened: SessionRepository,
    private readonly sessions: SessionsRepository,
    private readonly audit: AuditLog,
    private readonly keys: KeyStore,
    private readonly limits: AuthLimits,
    private readonly database: Database,
  ) {}

  /** Opens a session with the caller's key. It ends with the key. */
  async open(caller: Principal): Promise<OpenedSession> {
    return this.database.transaction(async () => {
      const { secret, expiresAt } = await this.opened.open(caller.keyId);
      await this.audit.add({ actorId: caller.userId, action: 'session.open', subject: caller.keyId, detail: {} });
      return { token: secret, session: toSessionDto(caller, earlier(caller.expiresAt, expiresAt)) };
    });
  }

  /** Makes a code that opens one session with the caller's key, within a minute. */
  async makeCode(caller: Principal): Promise<SignInCodeDto> {
    const { secret, expiresAt } = await this.sessions.makeCode(caller.keyId);
    return { code: secret, path: SIGN_IN_PATH + secret, expires_at: expiresAt.toISOString() };
  }

  /** @throws SignInCodeInvalidError the code is unknown, redeemed or expired, or its key has ended */
  async redeem(code: string): Promise<OpenedSession> {
    const keyId = await this.sessions.takeCode(code);
    const caller = keyId === null ? null : await this.keys.findById(keyId);
    if (caller === null) throw new SignInCodeInvalidError();
    return this.open(caller);
  }

  /** The session of a cookie; null: it is none, or has ended. @throws RateLimitedError as any request of its key */
  async find(token: string | undefined): Promise<SessionDto | null> {
    const caller = token === undefined ? null : await this.keys.findSession(token);
    if (caller === null) return null;
    const wait = this.limits.takeRequest(caller.keyId);
    if (wait) throw new RateLimitedError(wait);
    return this.read(caller);
  }

  /** @throws SessionMissingError the request was made with a key */
  read(caller: Principal): SessionDto {
    if (caller.sessionId === null || caller.expiresAt === null) throw new SessionMissingError();
    return toSessionDto(caller, caller.expiresAt);
  }

  /**
   * Ends the calling session in every process.
   *
   * @throws SessionMissingError the request was made with a key
   */
  async end(caller: Principal): Promise<void> {
    const { sessionId, userId, keyId } = caller;
    if (sessionId === null) throw new SessionMissingError();
    await this.database.transaction(async () => {
      await this.sessions.end(sessionId);
      await this.audit.add({ actorId: userId, action: 'session.end', subject: keyId, detail: {} });
      await this.keys.announceChange(userId);
    });
  }

  /**
   * Ends all sessions of the calling user, the calling one too, in every process. A key that is bound to a project ends those
   * of keys that are bound to the same one.
   */
  async endAll({ userId, keyId, onlyProject }: Principal): Promise<void> {
    await this.database.transaction(async () => {
      const count = await this.sessions.endAll(userId, onlyProject);
      await this.audit.add({ actorId: userId, action: 'session.end_all', subject: keyId, detail: { count } });
      await this.keys.announceChange(userId);
    });
  }
}

const earlier = (a: Date | null, b: Date): Date => (a !== null && a < b ? a : b);

const toSessionDto = (caller: Principal, expiresAt: Date): SessionDto => ({
  username: caller.username,
  is_admin: caller.isAdmin,
  roles: [...caller.roles].map(([entity, role]) => ({ entity, role })),
  scopes: [...caller.scopes],
  project: caller.onlyProject,
  default_project: caller.defaultProject,
  expires_at: expiresAt.toISOString(),
});
