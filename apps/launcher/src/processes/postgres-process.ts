import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { EmbeddedPostgres } from '@hone/database/embedded';

import { LaunchError } from '../config/launch.error.js';
import { Backoff } from './backoff.js';

const DATABASE = 'hone';
/** Without helpers that a server of this size does not need; each is a process. */
const LEAN = { io_method: 'sync', max_logical_replication_workers: '0' };

/** The embedded Postgres: started, started again on the same port when it dies, stopped. */
export class PostgresProcess {
  private readonly backoff = new Backoff();
  private server: EmbeddedPostgres | undefined;
  private stopping = false;
  private startedAt = 0;

  /** @param maxConnections what all services together may open, and some to look around with */
  constructor(
    private readonly dataDir: string,
    private readonly port: number,
    private readonly maxConnections: number,
    private readonly show: (line: string) => void,
  ) {}

  /**
   * Starts the server and makes the database when there is none.
   *
   * @returns the database's URL
   * @throws LaunchError
   */
  async start(): Promise<string> {
    try {
      const server = await this.run();
      await server.createDatabase(DATABASE);
      return server.url(DATABASE);
    } catch (error) {
      throw new LaunchError((error as Error).message);
    }
  }

  /** What is committed is safe however it ends; after `timeoutMs` it ends at once and recovers at the next start. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopping = true;
    const pid = this.server?.pid;
    const timer = setTimeout(() => pid && process.kill(pid, 'SIGQUIT'), Math.max(0, timeoutMs));
    await this.server?.stop();
    clearTimeout(timer);
  }

  private async run(): Promise<EmbeddedPostgres> {
    this.startedAt = Date.now();
    const server = await EmbeddedPostgres.start({
      dir: join(this.dataDir, 'postgres'),
      port: this.port,
      settings: { ...LEAN, max_connections: String(this.maxConnections) },
    });
    this.server = server;
    void server.died.then((how) => this.startAgain(how));
    if (this.stopping) await server.stop();
    return server;
  }

  private async startAgain(how: string): Promise<void> {
    for (let why = how; !this.stopping;) {
      const delayMs = this.backoff.nextDelayMs(Date.now() - this.startedAt);
      this.show(`${why}; starting it again${delayMs ? ` in ${delayMs / 1_000} s` : ''}`);
      await sleep(delayMs);
      if (this.stopping) return;
      try {
        await this.run();
        return this.show('postgres is up again');
      } catch (error) {
        why = (error as Error).message;
      }
    }
  }
}
