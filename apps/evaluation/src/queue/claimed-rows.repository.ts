import { type Database, newId, Prisma } from '@hone/database';

import { CLAIM_SECONDS } from './while-claimed.js';

/** A row that this process works on. */
export interface Claimed {
  readonly id: string;
  readonly claim: string;
}

/**
 * Rows of a table with the columns `claim`, of the process that works on a row, and `look_at`, before which no other process does:
 * whoever claims a row moves it on, so that another one takes over from a process that died.
 */
export class ClaimedRows {
  /** @param isOpen condition of the rows that are worked on at all */
  constructor(
    private readonly database: Database,
    private readonly table: Prisma.Sql,
    private readonly isOpen: Prisma.Sql,
  ) {}

  /** Rows whose turn it is, each for this process alone until it releases them, or dies. */
  async claimDue(limit: number): Promise<Claimed[]> {
    return this.database.client.$queryRaw<Claimed[]>`
      UPDATE ${this.table} SET claim = ${newId()}::uuid, look_at = now() + ${CLAIM_SECONDS} * interval '1 second'
      WHERE id IN (SELECT id FROM ${this.table} WHERE ${this.isOpen} AND look_at <= now() ORDER BY look_at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED)
      RETURNING id, claim`;
  }

  /** Keeps a claim. */
  renew = (claimed: Claimed): Promise<void> => this.moveOn(claimed, CLAIM_SECONDS, Prisma.empty);

  /** Lets others go on after a while. */
  release = (claimed: Claimed, seconds: number): Promise<void> =>
    this.moveOn(claimed, seconds, Prisma.sql`, claim = NULL`);

  /**
   * Does work in one transaction, during which the row stays open and this process's.
   *
   * @returns what the work comes to; null: nothing was done, because the row has ended, or is another process's
   */
  whileLocked<T>(claimed: Claimed, work: () => Promise<T>): Promise<T | null> {
    return this.database.transaction(async () => ((await this.lock(claimed)) ? work() : null));
  }

  private async lock({ id, claim }: Claimed): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT FROM ${this.table} WHERE id = ${id}::uuid AND ${this.isOpen} AND claim = ${claim}::uuid FOR UPDATE`;
    return rows.length > 0;
  }

  private async moveOn({ id, claim }: Claimed, seconds: number, more: Prisma.Sql): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE ${this.table} SET look_at = now() + ${seconds} * interval '1 second' ${more}
      WHERE id = ${id}::uuid AND claim = ${claim}::uuid`;
  }
}
