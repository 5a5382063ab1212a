import { type Dispatcher, Pool } from 'undici';

import type { Endpoint } from '../../shared/endpoint.js';
import { type Clock, SYSTEM_CLOCK } from '../../shared/time/clock.js';
import type { TargetFailure } from '../target-failure.js';
import { connector } from './continue-filter.js';
import { DEFAULT_KEY_PAUSES, type HttpServerSettings, type KeyHeader } from './http-settings.js';
import { KeyPool, type UpstreamKey } from './keys/key-pool.js';
import type { Dialect } from './request/dialect.js';
import { UsageEstimate } from './usage-estimate.js';

/** Below the keep-alive of servers (5 s in Node and uvicorn), so that requests rarely meet a closing connection. */
const KEEP_ALIVE_MS = 4_000;

/** Size limit of the replies to {@link HttpServer.call}. */
const MAX_REPLY_BYTES = 4 * 1_048_576;

/** Headers in which services of a dialect expect their keys; others: as bearer. */
const KEY_HEADERS: Partial<Record<Dialect, KeyHeader>> = { anthropic: 'x-api-key', azure: 'api-key' };

/** A call beside completions. */
export interface HttpCall {
  readonly method: 'GET' | 'POST';
  /** Below the base URL, without a slash before it. */
  readonly path: string;
  /** The path is beside the `/v1` of the base URL. Absent: false. */
  readonly isBesideV1?: boolean;
  /** JSON, or what becomes it; null: none. */
  readonly body: Buffer | object | null;
  /** Beside the usual ones, lower-case. Absent: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** From the call to the end of the reply. */
  readonly timeoutMs: number;
}

export interface HttpReply {
  readonly status: number;
  readonly body: Buffer;
}

/** Connection pool of one server. */
export class HttpServer {
  readonly estimate = new UsageEstimate();
  /** Texts that are removed from its messages: its keys and addresses. */
  readonly secrets: readonly string[];
  readonly keys: KeyPool;
  private readonly pool: Pool;
  /** Of the base URL. */
  private readonly path: string;
  /** Of every URL: empty, or with its question mark. */
  private readonly query: string;

  constructor(
    readonly settings: HttpServerSettings,
    clock: Clock = SYSTEM_CLOCK,
  ) {
    const { baseUrl, connectMs, connections, key, keyPauses = DEFAULT_KEY_PAUSES, query = {}, apiVersion } = settings;
    const keys = settings.keys ?? (key === null ? [] : [{ name: '', value: key }]);
    const url = new URL(baseUrl);
    this.path = url.pathname.replace(/\/+$/, '');
    const parameters = new URLSearchParams({ ...(apiVersion && { 'api-version': apiVersion }), ...query });
    this.query = parameters.size === 0 ? '' : `?${parameters.toString()}`;
    this.keys = new KeyPool(keys, keyPauses, clock);
    this.secrets = [...keys.map(({ value }) => value), baseUrl, url.host, url.hostname];
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

  /** @param model the name at the upstream of the one that is asked */
  post(endpoint: Endpoint, model: string, headers: string[], body: Buffer, handler: Dispatcher.DispatchHandler): void {
    const path = `${this.path}/${pathOf(endpoint, model, this.settings.apiVersion ?? null)}${this.query}`;
    this.pool.dispatch({ method: 'POST', path, headers, body }, handler);
  }

  /** Headers that carry a key, lower-case. */
  keyHeaders(key: UpstreamKey | null): Readonly<Record<string, string>> {
    if (key === null) return {};
    const { dialect, keyHeader = KEY_HEADERS[dialect] ?? 'bearer' } = this.settings;
    return keyHeader === 'bearer' ? { authorization: `Bearer ${key.value}` } : { [keyHeader]: key.value };
  }

  /** Calls another route of the server and reads the whole reply. */
  async call({
    method,
    path,
    isBesideV1 = false,
    body,
    headers,
    timeoutMs,
  }: HttpCall): Promise<HttpReply | { readonly failure: TargetFailure }> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const reply = await this.pool.request({
        method,
        path: `${isBesideV1 ? this.path.replace(/\/v1$/, '') : this.path}/${path}${this.query}`,
        headers: { 'content-type': 'application/json', ...this.keyHeaders(this.keys.take()), ...headers },
        body: Buffer.isBuffer(body) ? body : body && JSON.stringify(body),
        signal,
      });
      return { status: reply.statusCode, body: await readReply(reply.body) };
    } catch (error) {
      return { failure: callFailure(error, signal.aborted) };
    }
  }

  /** Waits for the running requests (drain). */
  async close(): Promise<void> {
    await this.pool.close();
  }
}

/** Below the base URL. Azure's older interface has each model at an address of its own, responses apart. */
function pathOf(endpoint: Endpoint, model: string, apiVersion: string | null): string {
  if (apiVersion === null || endpoint === 'responses') return endpoint;
  return `deployments/${encodeURIComponent(model)}/${endpoint}`;
}

async function readReply(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_REPLY_BYTES) throw new Error('The reply is too large.');
  }
  return Buffer.concat(chunks);
}

function callFailure(error: unknown, isTimeout: boolean): TargetFailure {
  if (isTimeout) return { reason: 'silent', message: 'The upstream did not answer in time.' };
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const isLost = code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
  if (isLost) return { reason: 'reset', message: 'The upstream closed the connection.' };
  return { reason: 'unreachable', message: 'The upstream cannot be reached.' };
}
