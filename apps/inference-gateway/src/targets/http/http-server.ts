import { type Dispatcher, Pool } from 'undici';

import type { Endpoint } from '../../shared/endpoint.js';
import type { TargetFailure } from '../target-failure.js';
import { connector } from './continue-filter.js';
import type { HttpServerSettings } from './http-settings.js';
import { keyHeader } from './request/key-header.js';
import { UsageEstimate } from './usage-estimate.js';

/** Below the keep-alive of servers (5 s in Node and uvicorn), so that requests rarely meet a closing connection. */
const KEEP_ALIVE_MS = 4_000;

/** Size limit of the replies to {@link HttpServer.call}. */
const MAX_REPLY_BYTES = 4 * 1_048_576;

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
  /** Texts that are removed from its messages: its key and addresses. */
  readonly secrets: readonly string[];
  private readonly pool: Pool;
  /** Of the base URL. */
  private readonly path: string;

  constructor(readonly settings: HttpServerSettings) {
    const { baseUrl, connectMs, connections, key } = settings;
    const url = new URL(baseUrl);
    this.path = url.pathname.replace(/\/+$/, '');
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

  /** @param model the name at the upstream of the one that is asked */
  post(endpoint: Endpoint, model: string, headers: string[], body: Buffer, handler: Dispatcher.DispatchHandler): void {
    const path = `${this.path}/${pathOf(endpoint, model, this.settings.apiVersion ?? null)}`;
    this.pool.dispatch({ method: 'POST', path, headers, body }, handler);
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
    const { key, dialect } = this.settings;
    const [keyName, keyValue] = keyHeader(dialect, key) ?? [];
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const reply = await this.pool.request({
        method,
        path: `${isBesideV1 ? this.path.replace(/\/v1$/, '') : this.path}/${path}`,
        headers: {
          'content-type': 'application/json',
          ...(keyName !== undefined && { [keyName]: keyValue }),
          ...headers,
        },
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
  if (apiVersion === null) return endpoint;
  const deployment = endpoint === 'responses' ? '' : `deployments/${encodeURIComponent(model)}/`;
  return `${deployment}${endpoint}?api-version=${encodeURIComponent(apiVersion)}`;
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
