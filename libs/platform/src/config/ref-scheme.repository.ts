import { Injectable } from '@nestjs/common';
import { Database } from '@hone/database';

@Injectable()
export class RefSchemeRepository {
  constructor(private readonly database: Database) {}

  /** Stores `scheme` unless one is stored already; returns the stored one. */
  async fix(scheme: string): Promise<string> {
    const rows = await this.database.client.$queryRaw<{ value: string }[]>`
      WITH made AS (
        INSERT INTO settings (key, value) VALUES ('ref_scheme', ${scheme}) ON CONFLICT DO NOTHING RETURNING value
      )
      SELECT value FROM made UNION ALL SELECT value FROM settings WHERE key = 'ref_scheme'`;
    return (rows[0] as { value: string }).value;
  }
}
