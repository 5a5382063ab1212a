import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** The time zones that Postgres knows. */
@Injectable()
export class TimeZonesRepository {
  constructor(private readonly database: Database) {}

  async has(name: string): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_timezone_names WHERE name = ${name} LIMIT 1`;
    return rows.length > 0;
  }
}
