import { type Dispatcher, Pool } from 'undici';

import type { HonouredParameters } from './parameters.js';
import type { Dialect, UsageHabit } from './request-body.js';
import { UsageEstimate } from './usage-estimate.js';

/** How to talk with a server that has OpenAI's interface. */
export interface HttpUpstreamSettings {
  /** Name in the configuration. */
  readonly name: string;
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string;
  /** Null: it asks for none. */
  readonly key: string | null;
  readonly dialect: Dialect;
  readonly parameters: HonouredParameters;
  readonly usage: UsageHabit;
  /** It sends one content frame per token. */
  readonly hasTokenFrames: boolean;
  /** Most connections at once. */
  readonly connections: number;
  /** TCP and TLS. */
  readonly connectMs: number;
}

/** Below what servers grant (5 s in Node and uvicorn), so that requests rarely meet a connection that is closing. */
const KEEP_ALIVE_MS = 4_000;

/** The connections to one upstream. */
export class HttpUpstream {
  readonly estimate = new UsageEstimate();
  /** What its messages must not tell callers. */
  readonly secrets: readonly string[];
  private readonly pool: Pool;
  private readonly path: string;

  constructor(readonly settings: HttpUpstreamSettings) {
    const { baseUrl, connectMs, connections, key } = settings;
    const url = new URL(baseUrl);
    this.path = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
    this.secrets = [...(key === null ? [] : [key]), baseUrl, url.host, url.hostname];
    this.pool = new Pool(url.origin, {
      connections,
      connect: { timeout: connectMs },
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Attempts have limits of their own, which tell what was waited for.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  post(headers: string[], body: Buffer, handler: Dispatcher.DispatchHandler): void {
    this.pool.dispatch({ method: 'POST', path: this.path, headers, body }, handler);
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.pool.close();
  }
}
