import { parseJson, stringifyJson } from '@hone/json';

import { toAnswerError } from '../errors/answer-error.js';
import { ConnectionError, TimeoutError } from '../errors/hone-error.js';
import type { HoneOptions, RawBody, RequestOptions } from './request-options.js';
import { retryDelayMs, sleep } from './retries.js';

const TIMEOUT_MS = 600_000;
const MAX_RETRIES = 2;

/** One request, before it is sent. */
export interface Exchange {
  readonly method: string;
  /** Begins with `/`; with its query. */
  readonly path: string;
  /** Media type that the answer should have. */
  readonly accept: string;
  /** An object is sent as JSON. */
  readonly body?: object | RawBody | FormData;
  /** Whether doing it twice is the same as doing it once. */
  readonly isRepeatable: boolean;
  /** Whether the server keeps the result under an `Idempotency-Key`. */
  readonly takesKey?: boolean;
  readonly options?: RequestOptions;
}

/** Sends requests, and repeats those that may be repeated. */
export class Transport {
  private readonly fetch: typeof globalThis.fetch;

  constructor(private readonly options: HoneOptions) {
    // A browser's fetch must be called as the window's.
    this.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  /** The answer's JSON. */
  async json<T>(exchange: Exchange): Promise<T> {
    return this.repeat(exchange, async (init, signal) => {
      const response = await this.send(exchange, init, signal);
      const { read } = exchange.options ?? {};
      return read ? ((await read(response)) as T) : this.parse<T>(await response.text());
    });
  }

  /** The answer with its body unread: what breaks off later is not repeated. */
  async open(exchange: Exchange): Promise<Response> {
    return this.repeat(exchange, (init, signal) => this.send(exchange, init, signal));
  }

  /** JSON text as this client reads it. */
  parse<T>(text: string): T {
    return (this.options.json === 'exact' ? parseJson(text) : JSON.parse(text)) as T;
  }

  private async repeat<T>(
    exchange: Exchange,
    attempt: (init: RequestInit, signal: AttemptSignal) => Promise<T>,
  ): Promise<T> {
    const { isRepeatable, takesKey = false, options = {} } = exchange;
    const init = this.toInit(exchange);
    // A stream can be sent once.
    const isRepeatableBody = !(exchange.body instanceof ReadableStream);
    const retries = isRepeatableBody ? (options.maxRetries ?? this.options.maxRetries ?? MAX_RETRIES) : 0;
    for (let count = 0; ; count++) {
      const signal = new AttemptSignal(options.timeoutMs ?? this.options.timeoutMs ?? TIMEOUT_MS, options.signal);
      try {
        return await attempt(init, signal);
      } catch (cause) {
        options.signal?.throwIfAborted();
        const error = signal.explain(cause, `${exchange.method} ${exchange.path}`);
        const delayMs = count < retries ? retryDelayMs(error, count, isRepeatable || takesKey) : null;
        if (delayMs === null) throw error;
        await sleep(delayMs, options.signal);
      } finally {
        signal.stopTimer();
      }
    }
  }

  private async send({ method, path }: Exchange, init: RequestInit, { signal }: AttemptSignal): Promise<Response> {
    const response = await this.fetch(this.options.baseUrl.replace(/\/+$/, '') + path, { ...init, signal });
    if (!response.ok) throw await toAnswerError(`${method} ${path}`, response);
    return response;
  }

  private toInit({ method, path, accept, body, takesKey, options = {} }: Exchange): RequestInit {
    const headers = new Headers({ accept, ...this.authorization(path), ...this.options.headers });
    const init: RequestInit & { duplex?: 'half' } = { method, headers };
    if (isRaw(body)) {
      init.body = body;
      if (!(body instanceof FormData)) headers.set('content-type', 'application/octet-stream');
      // Node.js sends a stream only with this.
      if (body instanceof ReadableStream) init.duplex = 'half';
    } else if (body !== undefined) {
      init.body = stringifyJson(body);
      headers.set('content-type', 'application/json');
    }
    if (takesKey) headers.set('idempotency-key', options.idempotencyKey ?? randomKey());
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    return init;
  }

  /** The surface of OpenAI's clients takes Bearer, that of trace's SDKs Basic. */
  private authorization(path: string): Record<string, string> {
    const { apiKey } = this.options;
    if (apiKey === undefined) return {};
    return { authorization: path.startsWith('/v1/') ? `Bearer ${apiKey}` : `Basic ${btoa(`api:${apiKey}`)}` };
  }
}

/** The caller's signal and a time limit, for one attempt. */
class AttemptSignal {
  private readonly timeout = new AbortController();
  private readonly timer: ReturnType<typeof setTimeout>;
  readonly signal: AbortSignal;

  constructor(
    private readonly timeoutMs: number,
    caller?: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.timeout.abort(), timeoutMs);
    this.signal = caller ? AbortSignal.any([this.timeout.signal, caller]) : this.timeout.signal;
  }

  stopTimer(): void {
    clearTimeout(this.timer);
  }

  /** What fetch threw, as one of this package's errors. */
  explain(cause: unknown, request: string): unknown {
    if (this.timeout.signal.aborted) return new TimeoutError(`${request} took more than ${this.timeoutMs} ms`);
    return cause instanceof TypeError ? new ConnectionError(`${request}: ${cause.message}`, { cause }) : cause;
  }
}

const isRaw = (body: Exchange['body']): body is RawBody | FormData =>
  typeof body === 'string' ||
  [Blob, Uint8Array, ArrayBuffer, ReadableStream, FormData].some((type) => body instanceof type);

/** `crypto.randomUUID` is missing on pages without TLS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
