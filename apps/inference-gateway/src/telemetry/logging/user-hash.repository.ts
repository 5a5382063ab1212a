import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

@Injectable()
export class UserHashRepository {
  constructor(private readonly database: Database) {}

  /** Stores `key` unless one is stored already; returns the stored one, which all gateways share. */
  async fix(key: string): Promise<string> {
    // Two statements: an insert that waited for another process does not see the row which that process committed.
    const { client } = this.database;
    await client.$executeRaw`INSERT INTO settings (key, value) VALUES ('user_hash_key', ${key}) ON CONFLICT DO NOTHING`;
    const rows = await client.$queryRaw<{ value: string }[]>`SELECT value FROM settings WHERE key = 'user_hash_key'`;
    return (rows[0] as { value: string }).value;
  }
}
