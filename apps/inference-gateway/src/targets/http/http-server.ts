import { type Dispatcher, Pool } from 'undici';

import { connector } from './continue-filter.js';
import type { HttpServerSettings } from './http-settings.js';
import { UsageEstimate } from './usage-estimate.js';

/** Below the keep-alive of servers (5 s in Node and uvicorn), so that requests rarely meet a closing connection. */
const KEEP_ALIVE_MS = 4_000;

/** Connection pool of one server. */
export class HttpServer {
  readonly estimate = new UsageEstimate();
  /** Texts that are removed from its messages: its key and addresses. */
  readonly secrets: readonly string[];
  private readonly pool: Pool;
  private readonly path: string;

  constructor(readonly settings: HttpServerSettings) {
    const { baseUrl, connectMs, connections, key } = settings;
    const url = new URL(baseUrl);
    this.path = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
    this.secrets = [...(key === null ? [] : [key]), baseUrl, url.host, url.hostname];
    this.pool = new Pool(url.origin, {
      connections,
      connect: connector({ timeout: connectMs }),
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Attempts have their own time limits, with a reason for each.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  post(headers: string[], body: Buffer, handler: Dispatcher.DispatchHandler): void {
    this.pool.dispatch({ method: 'POST', path: this.path, headers, body }, handler);
  }

  /** Waits for the running requests (drain). */
  async close(): Promise<void> {
    await this.pool.close();
  }
}
