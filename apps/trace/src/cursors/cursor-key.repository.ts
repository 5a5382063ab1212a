import { randomBytes } from 'node:crypto';

import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** The key that cursors are signed with: one for all processes that use the database, and for as long as it is there. */
@Injectable()
export class CursorKeyRepository {
  constructor(private readonly database: Database) {}

  /** Makes the key when there is none. */
  async get(): Promise<Buffer> {
    const { client } = this.database;
    const find = () => client.$queryRaw<{ value: string }[]>`SELECT value FROM settings WHERE key = 'cursor_key'`;
    let rows = await find();
    if (rows.length === 0) {
      const made = randomBytes(32).toString('base64url');
      await client.$executeRaw`INSERT INTO settings (key, value) VALUES ('cursor_key', ${made}) ON CONFLICT DO NOTHING`;
      rows = await find();
    }
    return Buffer.from((rows[0] as { value: string }).value, 'base64url');
  }
}
