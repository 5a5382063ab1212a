import { AsyncLocalStorage } from 'node:async_hooks';

import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

import { Prisma, PrismaClient } from '../generated/client.js';
import { type DatabaseConfig, DEFAULT_DATABASE_CONFIG } from './database.config.js';

/** What a repository may call: the client itself, or the transaction it runs in. */
export type DatabaseClient = Prisma.TransactionClient;

export interface TransactionOptions {
  /** The transaction is rolled back when it has not ended by then. Default: 65 s, above the statement time limit. */
  timeoutMs?: number;
}

interface Ambient {
  client: DatabaseClient;
  afterCommit: (() => unknown)[];
}

/** A reader may be slow, but not for ever: it holds a connection. */
const STREAM_TIMEOUT_MS = 3_600_000;

/**
 * The connection pool of a process. Repositories use {@link client}; what they do inside {@link transaction}
 * joins that transaction, so that an interceptor can make a whole request atomic.
 */
export class Database {
  private readonly pool: pg.Pool;
  private readonly prisma: PrismaClient;
  private readonly ambient = new AsyncLocalStorage<Ambient>();
  /** Text of a bulk statement -> the name under which connections prepare it. */
  private readonly bulkNames = new Map<string, string>();
  /** How many works run in a transaction at the moment. */
  private open = 0;

  constructor(readonly config: DatabaseConfig) {
    this.pool = new pg.Pool({
      connectionString: config.url,
      max: config.poolSize,
      statement_timeout: config.statementTimeoutMs,
      // A process that is frozen amid a transaction cannot roll it back by itself; its locks are not for ever.
      idle_in_transaction_session_timeout: transactionTimeoutMs(config),
      connectionTimeoutMillis: config.acquireTimeoutMs,
      // A backend of Postgres holds 14 MiB and more; opening one again takes milliseconds.
      idleTimeoutMillis: 4_000,
      keepAlive: true,
    });
    this.pool.on('error', () => undefined); // an idle connection broke; the next statement opens another
    // minimal: the other formats write the arguments of a failed call into the message, and with them payloads.
    this.prisma = new PrismaClient({ adapter: new PrismaPg(this.pool), errorFormat: 'minimal' });
  }

  static connect(config: Partial<DatabaseConfig> & { url: string }): Database {
    return new Database({ ...DEFAULT_DATABASE_CONFIG, ...config });
  }

  get client(): DatabaseClient {
    return this.ambient.getStore()?.client ?? this.prisma;
  }

  get inTransaction(): boolean {
    return this.ambient.getStore() !== undefined;
  }

  /** Runs `work` in one transaction; inside another one it simply joins it. */
  async transaction<T>(work: () => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (this.inTransaction) return work();
    const afterCommit: (() => unknown)[] = [];
    const { timeoutMs } = options;
    const result = await this.prisma.$transaction(
      async (client) => {
        if (timeoutMs !== undefined) await this.allowPauses(client, timeoutMs);
        return this.within({ client, afterCommit }, work);
      },
      { maxWait: this.config.acquireTimeoutMs, timeout: timeoutMs ?? transactionTimeoutMs(this.config) },
    );
    for (const effect of afterCommit) await effect();
    return result;
  }

  /**
   * Runs `effect` once the ambient transaction has committed, never when it is rolled back; outside one, at once. Whoever
   * began the transaction waits for it, without a connection.
   */
  async afterCommit(effect: () => unknown): Promise<void> {
    const ambient = this.ambient.getStore();
    if (ambient) ambient.afterCommit.push(effect);
    else await effect();
  }

  /** Runs `work` outside the ambient transaction, if there is one: what it writes stays when that one is rolled back. */
  detached<T>(work: () => Promise<T>): Promise<T> {
    return this.ambient.exit(work);
  }

  /**
   * Executes one statement with large parameters; returns how many rows it changed. Outside a transaction it goes to the
   * pool directly: Prisma copies each parameter four times, a tenth of the time of a bulk insert. Each connection
   * prepares it once: to plan an upsert into partitions takes as long as to store some ten rows.
   *
   * @param statement its text is always the same, and only its parameters vary; {@link textArray} makes some of them
   */
  async executeBulk(statement: Prisma.Sql): Promise<number> {
    if (this.inTransaction) return this.client.$executeRaw(statement);
    return (await this.pool.query(this.prepared(statement))).rowCount ?? 0;
  }

  /** {@link executeBulk} of a statement that returns rows, of texts, numbers and times. */
  async queryBulk<Row>(statement: Prisma.Sql): Promise<Row[]> {
    if (this.inTransaction) return this.client.$queryRaw<Row[]>(statement);
    return (await this.pool.query(this.prepared(statement))).rows as Row[];
  }

  /**
   * Reads a result of any size through a server-side cursor, `batchRows` at a time. All rows are of one snapshot. Ends
   * early when `onRows` throws.
   *
   * @param options.isAhead the next batch is fetched while `onRows` deals with the last one, so that two are in memory;
   *   else after it
   */
  async stream<Row>(
    query: Prisma.Sql,
    { batchRows, isAhead = false }: { readonly batchRows: number; readonly isAhead?: boolean },
    onRows: (rows: Row[]) => Promise<void>,
  ): Promise<void> {
    await this.prisma.$transaction(
      async (tx) => {
        await this.allowPauses(tx, STREAM_TIMEOUT_MS);
        await tx.$executeRaw(Prisma.sql`DECLARE hone_stream NO SCROLL CURSOR FOR ${query}`);
        const fetch = () => tx.$queryRaw<Row[]>(Prisma.sql`FETCH ${Prisma.raw(String(batchRows))} FROM hone_stream`);
        const take = (rows: Row[]) => this.within({ client: tx, afterCommit: [] }, () => onRows(rows));
        for (let rows = await fetch(); rows.length > 0;) {
          const isLast = rows.length < batchRows;
          if (isAhead && !isLast) [rows] = await Promise.all([fetch(), take(rows)]);
          else {
            await take(rows);
            rows = isLast ? [] : await fetch();
          }
        }
      },
      { maxWait: this.config.acquireTimeoutMs, timeout: STREAM_TIMEOUT_MS },
    );
  }

  /** Resolves when Postgres answers; rejects when it does not. */
  async ping(): Promise<void> {
    await this.prisma.$queryRaw`SELECT 1`;
  }

  /** Notifies every process that listens on `channel`; inside a transaction, at its commit. */
  async notify(channel: string, payload: string): Promise<void> {
    await this.client.$executeRaw`SELECT pg_notify(${channel}, ${payload})`;
  }

  private prepared({ text, values }: Prisma.Sql): pg.QueryConfig {
    let name = this.bulkNames.get(text);
    if (name === undefined) this.bulkNames.set(text, (name = `hone_bulk_${this.bulkNames.size}`));
    return { name, text, values };
  }

  /** Between two statements of this transaction, of which the server would else end the session. */
  private async allowPauses(client: DatabaseClient, ms: number): Promise<void> {
    await client.$queryRaw`SELECT set_config('idle_in_transaction_session_timeout', ${String(ms)}, true)`;
  }

  /** Following a work costs every promise of the process something (in Node 20), so it ends with the last of them. */
  private async within<T>(ambient: Ambient, work: () => Promise<T>): Promise<T> {
    this.open++;
    try {
      return await this.ambient.run(ambient, work);
    } finally {
      if (--this.open === 0) this.ambient.disable();
    }
  }

  async close(): Promise<void> {
    await this.prisma.$disconnect();
    await this.pool.end();
  }
}

/** Longer than the longest statement of a transaction. */
const transactionTimeoutMs = ({ statementTimeoutMs }: DatabaseConfig): number => statementTimeoutMs + 5_000;
