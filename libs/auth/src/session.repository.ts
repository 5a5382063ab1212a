import { randomBytes } from 'node:crypto';

import { Database, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { hashApiKey } from './key-format.js';

/** A session is over this long after its last use. */
export const SESSION_MS = 12 * 3_600_000;
const TOKEN_BYTES = 32;

/** A secret, shown to its holder alone, and its end. */
export interface Issued {
  readonly secret: string;
  readonly expiresAt: Date;
}

export const issueSecret = (bytes: number, ms: number): Issued => ({
  secret: randomBytes(bytes).toString('base64url'),
  expiresAt: new Date(Date.now() + ms),
});

/** A signed-in browser, or a service that acts for the owner of a key, as requests see it. */
export interface Session {
  readonly id: string;
  readonly keyId: string;
  readonly expiresAt: Date;
}

@Injectable()
export class SessionRepository {
  constructor(private readonly database: Database) {}

  /** Opens a session with a key; sessions that have ended are swept up on the way. The database has the token's hash alone. */
  async open(keyId: string): Promise<Issued> {
    await this.database.client.session.deleteMany({ where: { expiresAt: { lte: new Date() } } });
    const issued = issueSecret(TOKEN_BYTES, SESSION_MS);
    const tokenHash = new Uint8Array(hashApiKey(issued.secret));
    await this.database.client.session.create({ data: { id: newId(), tokenHash, keyId, expiresAt: issued.expiresAt } });
    return issued;
  }

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
