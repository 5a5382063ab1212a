import type { IncomingMessage, ServerResponse } from 'node:http';

import { isRequestId } from '@hone/contracts';
import { isDatabaseUnavailable, newId } from '@hone/database';
import type { FastifyBaseLogger } from 'fastify';

import { CallerSignal } from '../routing/stopper.js';
import { corsHeaders } from './cors.js';
import { CallerLeftError, GatewayError, internalError } from './gateway-error.js';
import { databaseUnavailable, serverStopping } from './unavailable.errors.js';

/** How long the rest of a refused body is waited for before its connection is closed. */
const LINGER_MS = 2_000;

/** What is known of a request beside its head; Fastify's requests have it. */
export interface ExchangeOrigin {
  /** Of the caller, behind proxies that are trusted. */
  readonly ip: string;
  /** The content type as it was sent. */
  readonly sentContentType: string | undefined;
  readonly log: FastifyBaseLogger;
}

/** One request and its connection, from admission to the last byte. */
export class Exchange {
  /** The billing key. */
  readonly uid = newId();
  /** Ends when the caller has gone, or when the process cannot wait for the answer. */
  readonly signal = new CallerSignal();
  /** Of every answer to a browser. */
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
    // The response's close tells that the caller left; the request's comes when its body was read.
    response.on('close', () => {
      if (!response.writableFinished) this.signal.end('left');
    });
  }

  /** The caller's header, else the id from the body, else a new one. */
  get rid(): string {
    this.id ||= this.uid;
    return this.id;
  }

  /** The id that a body names; a header was there first. */
  offerId(id: string | null | undefined): void {
    this.id ||= id ?? '';
  }

  /** The process ends and cannot wait any longer. */
  stop(): void {
    this.signal.end('shutdown');
    // Whoever still sends a body is not waited for: nothing has been answered yet.
    if (!this.raw.complete) this.refuse(serverStopping());
  }

  header(name: string): string | undefined {
    const value = this.raw.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The first of some headers that is there. */
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

  /** Writes a whole answer that is no completion. */
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

  /** Answers with an error; one that nobody expected is logged and told as such. */
  refuse(error: unknown): void {
    if (error instanceof GatewayError) return this.send(error.status, error.body, error.headers);
    if (this.signal.reason !== null || error instanceof CallerLeftError) return;
    if (isDatabaseUnavailable(error)) return this.refuse(databaseUnavailable());
    this.origin.log.error({ err: error, rid: this.rid }, 'unexpected error');
    const told = internalError();
    this.send(told.status, told.body, told.headers);
  }

  /** Answers without a body. */
  sendEmpty(status: number, headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(status, { ...this.headers, ...headers });
    this.response.end();
  }

  /** A connection that is closed while its client still writes is reset, and takes the answer with it. */
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
