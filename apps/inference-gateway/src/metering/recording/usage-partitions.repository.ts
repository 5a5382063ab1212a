import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** Advisory lock, the same in every process: one process creates a partition, the others find it. */
const PARTITION_LOCK = 4_663_010;
const PREFIX = 'usage_records_';
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The partitions of `usage_records`, one per UTC day. */
@Injectable()
export class UsagePartitionsRepository {
  constructor(private readonly database: Database) {}

  /** @param days `YYYY-MM-DD`; existing partitions stay */
  async createAll(days: readonly string[]): Promise<void> {
    for (const day of days) if (DAY.test(day)) await this.database.transaction(() => this.create(day));
  }

  /** Days that have a partition, oldest first. */
  async list(): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ name: string }[]>`
      SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'usage_records'::regclass ORDER BY c.relname`;
    return rows.map(({ name }) => name.slice(PREFIX.length).replace(/(\d{4})(\d{2})(\d{2})/, '$1-$2-$3'));
  }

  /** The lock timeout is short: all queries queue behind a drop that waits for its lock. */
  async delete(day: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.client.$executeRaw`SET LOCAL lock_timeout = '1s'`;
      await this.database.client.$executeRaw`DROP TABLE IF EXISTS ${tableOf(day)}`;
    });
  }

  /** Creates and attaches a table: unlike `PARTITION OF`, attaching does not lock out writers. */
  private async create(day: string): Promise<void> {
    const { client } = this.database;
    const table = tableOf(day);
    await client.$executeRaw`SELECT pg_advisory_xact_lock(${PARTITION_LOCK})`;
    if ((await this.list()).includes(day)) return;
    await client.$executeRaw`CREATE TABLE ${table} (LIKE usage_records INCLUDING ALL)`;
    await client.$executeRaw`ALTER TABLE usage_records ATTACH PARTITION ${table}
      FOR VALUES FROM (${Prisma.raw(`'${day}'`)}) TO (${Prisma.raw(`'${nextDay(day)}'`)})`;
  }
}

const tableOf = (day: string): Prisma.Sql => Prisma.raw(`${PREFIX}${day.replaceAll('-', '')}`);

const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
