/** How this process reaches Postgres. */
export interface DatabaseConfig {
  /** `postgres://user:password@host:port/database`. */
  url: string;
  /** Most connections this process holds open. */
  poolSize: number;
  /** A single statement that runs longer is cancelled by the server. */
  statementTimeoutMs: number;
  /** How long a request waits for a free connection before it is answered 503. */
  acquireTimeoutMs: number;
}

export const DEFAULT_DATABASE_CONFIG: Omit<DatabaseConfig, 'url'> = {
  poolSize: 16,
  statementTimeoutMs: 60_000,
  acquireTimeoutMs: 5_000,
};
