import type { IncomingMessage, ServerResponse } from 'node:http';

import { isRequestId } from '@hone/contracts';
import { isDatabaseUnavailable, newId } from '@hone/database';
import type { FastifyBaseLogger } from 'fastify';

import { CallerSignal } from '../shared/caller-signal.js';
import { corsHeaders } from './cors.js';
import { CallerLeftError, GatewayError, internalError } from '../shared/errors/gateway-error.js';
import { databaseUnavailable, serverStopping } from '../shared/errors/unavailable.errors.js';

/** Time for the rest of a refused body to arrive before its connection is closed. */
const LINGER_MS = 2_000;

/** What is known of a request beside its headers; Fastify's requests have it. */
export interface ExchangeOrigin {
  /** The caller's address, as trusted proxies forward it. */
  readonly ip: string;
  /** The content type as it was sent. */
  readonly sentContentType: string | undefined;
  readonly log: FastifyBaseLogger;
}

/** One request and its connection, from admission to the last byte. */
export class Exchange {
  /** The billing key. */
  readonly uid = newId();
  /** Fires when the caller leaves, or when the process shuts down and cannot wait for the answer. */
  readonly signal = new CallerSignal();
  /** CORS headers of every answer. */
  private readonly cors: Readonly<Record<string, string>>;
  private id: string;

  /** @param corsOrigins that may read the answer */
  constructor(
    readonly raw: IncomingMessage,
    readonly response: ServerResponse,
    readonly origin: ExchangeOrigin,
    corsOrigins: readonly string[],
  ) {
    this.cors = corsHeaders(corsOrigins, raw.headers.origin);
    const sent = raw.headers['x-request-id'];
    this.id = typeof sent === 'string' && isRequestId(sent) ? sent : '';
    // The response closes early when the caller leaves; the request closes whenever its body was read.
    response.on('close', () => {
      if (!response.writableFinished) this.signal.end('left');
    });
  }

  /** The caller's header, else the id from the body, else a new one. */
  get rid(): string {
    this.id ||= this.uid;
    return this.id;
  }

  /** The id that a body names; a header wins. */
  offerId(id: string | null | undefined): void {
    this.id ||= id ?? '';
  }

  /** The process shuts down and cannot wait any longer. */
  stop(): void {
    this.signal.end('shutdown');
    // The rest of a body that still arrives is not waited for: nothing has been answered yet.
    if (!this.raw.complete) this.refuse(serverStopping());
  }

  header(name: string): string | undefined {
    const value = this.raw.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The first of these headers that is present. */
  firstHeader(names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.header(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Headers of every answer to this request, lower-case. */
  get headers(): Readonly<Record<string, string>> {
    return Object.assign({ 'x-request-id': this.rid, 'x-content-type-options': 'nosniff' }, this.cors);
  }

  /** Writes a whole answer that is not a completion. */
  send(status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
    if (this.response.headersSent || this.response.destroyed) return;
    const text = Buffer.from(JSON.stringify(body));
    this.response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': String(text.length),
      'cache-control': 'no-store',
      ...this.headers,
      ...headers,
    });
    if (this.raw.method === 'HEAD') this.response.end();
    else if (headers.connection === 'close') this.linger(text);
    else this.response.end(text);
  }

  /** Answers with an error; an unexpected one is logged, and the caller gets a 500. */
  refuse(error: unknown): void {
    if (error instanceof GatewayError) return this.send(error.status, error.body, error.headers);
    if (this.signal.reason !== null || error instanceof CallerLeftError) return;
    if (isDatabaseUnavailable(error)) return this.refuse(databaseUnavailable());
    this.origin.log.error({ err: error, rid: this.rid }, 'unexpected error');
    const shown = internalError();
    this.send(shown.status, shown.body, shown.headers);
  }

  /** Answers without a body. */
  sendEmpty(status: number, headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(status, { ...this.headers, ...headers });
    this.response.end();
  }

  /** Closing a connection while its client still writes would reset it, and the client would lose the answer. */
  private linger(text: Buffer): void {
    this.response.write(text);
    const end = () => {
      clearTimeout(timer);
      this.response.end();
    };
    const timer = setTimeout(end, LINGER_MS);
    this.raw.resume();
    if (this.raw.readableEnded) end();
    else this.raw.once('end', end).once('close', end);
  }
}
