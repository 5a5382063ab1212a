import { hashApiKey, type Issued, issueSecret } from '@hone/auth';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

const CODE_BYTES = 24;
const CODE_MS = 60_000;

/** Stores hashes of tokens and codes, never these. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly database: Database) {}

  async end(id: string): Promise<void> {
    await this.database.client.session.deleteMany({ where: { id } });
  }

  /** Ends all sessions of a user. @param onlyProject of keys bound to it; null: of all keys. @returns how many there were */
  async endAll(userId: string, onlyProject: string | null): Promise<number> {
    const key = { userId, ...(onlyProject !== null && { onlyProject }) };
    return (await this.database.client.session.deleteMany({ where: { key } })).count;
  }

  async makeCode(keyId: string): Promise<Issued> {
    await this.database.client.signInCode.deleteMany({ where: { expiresAt: { lte: new Date() } } });
    const issued = issueSecret(CODE_BYTES, CODE_MS);
    const data = { codeHash: hashOf(issued.secret), keyId, expiresAt: issued.expiresAt };
    await this.database.client.signInCode.create({ data });
    return issued;
  }

  /** Takes a code away. @returns its key; null: of those who redeem it at once, another one was first */
  async takeCode(code: string): Promise<string | null> {
    const where = { codeHash: hashOf(code) };
    const found = await this.database.client.signInCode.findUnique({ where });
    if (!found || found.expiresAt <= new Date()) return null;
    const { count } = await this.database.client.signInCode.deleteMany({ where });
    return count === 1 ? found.keyId : null;
  }
}

const hashOf = (secret: string) => new Uint8Array(hashApiKey(secret));
