import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

@Injectable()
export class RefSchemeRepository {
  constructor(private readonly database: Database) {}

  /** Stores `scheme` unless one is stored already; returns the stored one. */
  async fix(scheme: string): Promise<string> {
    // Two statements: the one that inserts does not see a row that another process committed while it waited for it.
    const { client } = this.database;
    await client.$executeRaw`INSERT INTO settings (key, value) VALUES ('ref_scheme', ${scheme}) ON CONFLICT DO NOTHING`;
    const rows = await client.$queryRaw<{ value: string }[]>`SELECT value FROM settings WHERE key = 'ref_scheme'`;
    return (rows[0] as { value: string }).value;
  }
}
