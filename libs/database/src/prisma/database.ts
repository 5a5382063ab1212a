import { AsyncLocalStorage } from 'node:async_hooks';

import { PrismaPg } from '@prisma/adapter-pg';

import { Prisma, PrismaClient } from '../generated/client.js';
import { DEFAULT_DATABASE_CONFIG, type DatabaseConfig } from './database.config.js';

/** What a repository may call: the client itself, or the transaction it runs in. */
export type DatabaseClient = Prisma.TransactionClient;

export interface TransactionOptions {
  /** The transaction is rolled back when it has not ended by then. Default: 65 s, above the statement time limit. */
  timeoutMs?: number;
}

/**
 * The connection pool of a process. Repositories use {@link client}; what they do inside {@link transaction}
 * joins that transaction, so that an interceptor can make a whole request atomic.
 */
export class Database {
  readonly #prisma: PrismaClient;
  readonly #ambient = new AsyncLocalStorage<DatabaseClient>();

  constructor(readonly config: DatabaseConfig) {
    const adapter = new PrismaPg({
      connectionString: config.url,
      max: config.poolSize,
      statement_timeout: config.statementTimeoutMs,
      connectionTimeoutMillis: config.acquireTimeoutMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
    });
    this.#prisma = new PrismaClient({ adapter });
  }

  static connect(config: Partial<DatabaseConfig> & { url: string }): Database {
    return new Database({ ...DEFAULT_DATABASE_CONFIG, ...config });
  }

  get client(): DatabaseClient {
    return this.#ambient.getStore() ?? this.#prisma;
  }

  get inTransaction(): boolean {
    return this.#ambient.getStore() !== undefined;
  }

  /** Runs `work` in one transaction; inside another one it simply joins it. */
  async transaction<T>(work: () => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (this.inTransaction) return work();
    return this.#prisma.$transaction((tx) => this.#ambient.run(tx, work), {
      maxWait: this.config.acquireTimeoutMs,
      timeout: options.timeoutMs ?? this.config.statementTimeoutMs + 5_000,
    });
  }

  /** Runs `work` outside the ambient transaction, if there is one: what it writes stays when that one is rolled back. */
  detached<T>(work: () => Promise<T>): Promise<T> {
    return this.#ambient.exit(work);
  }

  /** Resolves when Postgres answers; rejects when it does not. */
  async ping(): Promise<void> {
    await this.#prisma.$queryRaw`SELECT 1`;
  }

  /** Tells every process that listens on `channel`; inside a transaction it is delivered at its commit. */
  async notify(channel: string, payload: string): Promise<void> {
    await this.client.$executeRaw`SELECT pg_notify(${channel}, ${payload})`;
  }

  async close(): Promise<void> {
    await this.#prisma.$disconnect();
  }
}
