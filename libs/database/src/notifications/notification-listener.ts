import pg from 'pg';

type Handler = (payload: string) => void;

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/**
 * One connection that LISTENs for the whole process and reconnects after a loss. A message sent while it was lost
 * is gone, so `onGap` handlers run after every reconnect: a cache must then forget what it holds.
 */
export class NotificationListener {
  private readonly handlers = new Map<string, Set<Handler>>();
  private readonly gapHandlers = new Set<() => void>();
  private client: pg.Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private retryMs = FIRST_RETRY_MS;
  private closed = false;
  private hears = false;

  constructor(private readonly url: string) {}

  /** Calls `handler` for each message on `channel`. The first call opens the connection. */
  async listen(channel: string, handler: Handler): Promise<void> {
    const known = this.handlers.get(channel);
    if (known) known.add(handler);
    else this.handlers.set(channel, new Set([handler]));
    if (!this.client) await this.connect();
    else if (!known) await this.client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  }

  /** Messages arrive. False while the connection is lost: callers must then read what messages would announce. */
  get isListening(): boolean {
    return this.hears;
  }

  /** Calls `handler` whenever messages may have been missed. */
  onGap(handler: () => void): void {
    this.gapHandlers.add(handler);
  }

  /** Runs the handlers of {@link onGap}: what this process holds of the database may be of the past. */
  announceGap(): void {
    for (const handler of this.gapHandlers) handler();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
    this.client = undefined;
  }

  /** @returns whether it listens */
  private async connect(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url, keepAlive: true, connectionTimeoutMillis: 5_000 });
    this.client = client;
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ channel, payload }) => {
      for (const handler of this.handlers.get(channel) ?? []) handler(payload ?? '');
    });
    try {
      await client.connect();
      for (const channel of this.handlers.keys()) await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      this.retryMs = FIRST_RETRY_MS;
      this.hears = client === this.client;
      return true;
    } catch {
      this.lost(client);
      return false;
    }
  }

  private lost(client: pg.Client): void {
    if (this.closed || client !== this.client) return;
    this.client = undefined;
    this.hears = false;
    client.removeAllListeners();
    client.on('error', () => undefined);
    client.end().catch(() => undefined);
    this.retry = setTimeout(() => {
      void this.connect().then((isBack) => isBack && this.announceGap());
    }, this.retryMs);
    this.retry.unref();
    this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
  }
}
