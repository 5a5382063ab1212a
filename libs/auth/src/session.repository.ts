import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** A session is over this long after its last use. */
export const SESSION_MS = 12 * 3_600_000;

/** A signed-in browser, as requests see it. */
export interface Session {
  readonly id: string;
  readonly keyId: string;
  readonly expiresAt: Date;
}

@Injectable()
export class SessionRepository {
  constructor(private readonly database: Database) {}

  /** Null: unknown, ended or expired. */
  async find(tokenHash: Buffer): Promise<Session | null> {
    const where = { tokenHash: new Uint8Array(tokenHash), expiresAt: { gt: new Date() } };
    return this.database.client.session.findFirst({ where, select: { id: true, keyId: true, expiresAt: true } });
  }

  /** Moves the end of a session on. */
  async extend(id: string): Promise<void> {
    const data = { expiresAt: new Date(Date.now() + SESSION_MS) };
    await this.database.client.session.updateMany({ where: { id, expiresAt: { gt: new Date() } }, data });
  }
}
