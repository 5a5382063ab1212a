import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { isRequestId } from '@hone/contracts';
import { isDatabaseFull, isDatabaseUnavailable, newId } from '@hone/database';
import type { FastifyBaseLogger } from 'fastify';

import { CallerSignal } from '../shared/caller-signal.js';
import { CallerLeftError, type errorBody, GatewayError, GatewayFaultError } from '../shared/errors/gateway-error.js';
import { DatabaseDiskFullError, DatabaseDownError, ServerStoppingError } from '../shared/errors/unavailable.errors.js';
import { corsHeaders } from './cors.js';

/** Time for the rest of a refused body to arrive before its connection is closed. */
const LINGER_MS = 2_000;

/** Facts of a request beside its headers; a Fastify request has them. */
export interface ExchangeOrigin {
  /** The client's address, as trusted proxies forward it. */
  readonly ip: string;
  /** The content type as it was sent. */
  readonly sentContentType: string | undefined;
  readonly log: FastifyBaseLogger;
}

/** What responses to the callers of a door have in a form of its own, beside answers. */
export interface ReplyForm {
  /** A header that has the id of the request, lower-case, beside `x-request-id`. */
  readonly idHeader?: string;
  /** The JSON of an error. Absent: that of chat completions. @param rid id of the request */
  toError?(status: number, error: ReturnType<typeof errorBody>, rid: string): object;
}

/** One request and its connection, from admission to the last byte. */
export class Exchange {
  /** Idempotency key of the usage record. */
  readonly uid = newId();
  /** Fires when the caller leaves, or when the drain time of a shutdown is over. */
  readonly signal = new CallerSignal();
  /** CORS headers of every response. */
  private readonly cors: Readonly<Record<string, string>>;
  /** Headers of responses that are no completion, as far as they are known: `x-ratelimit-*`, `hone-call`. */
  private refusalHeaders: Readonly<Record<string, string>> = NONE;
  /** That of the door where the request came in. */
  form: ReplyForm = CHAT_FORM;
  private id: string;

  /** @param corsOrigins origins whose scripts may read the response */
  constructor(
    readonly raw: IncomingMessage,
    readonly response: ServerResponse,
    readonly origin: ExchangeOrigin,
    corsOrigins: readonly string[],
  ) {
    this.cors = corsHeaders(corsOrigins, raw.headers.origin);
    const sent = raw.headers['x-request-id'];
    this.id = typeof sent === 'string' && isRequestId(sent) ? sent : '';
    // The response closes early when the caller leaves; the request closes as soon as its body was read.
    response.on('close', () => {
      if (!response.writableFinished) this.signal.end('left');
    });
  }

  /** The request id: from the caller's header, else from the body, else a new one. */
  get rid(): string {
    this.id ||= this.uid;
    return this.id;
  }

  /** Sets the id that the body names; a header takes precedence. */
  offerId(id: string | null | undefined): void {
    this.id ||= id ?? '';
  }

  /** Ends the request at a shutdown, when the drain time is over. */
  stop(): void {
    this.signal.end('shutdown');
    // The body is still arriving, so no response has begun: the request is refused.
    if (!this.raw.complete) this.refuse(new ServerStoppingError());
  }

  header(name: string): string | undefined {
    const value = this.raw.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The first of these headers that is present, which may have any characters. */
  firstHeader(names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.header(name);
      if (value !== undefined) return utf8Of(value);
    }
    return undefined;
  }

  /** Headers of every response to this request, lower-case. */
  get headers(): Readonly<Record<string, string>> {
    const headers = { 'x-request-id': this.rid, 'x-content-type-options': 'nosniff' };
    const { idHeader } = this.form;
    return Object.assign(headers, this.cors, idHeader !== undefined && { [idHeader]: this.rid });
  }

  /** Sets the `x-ratelimit-*` and `hone-call` headers of an error. */
  refusesWith(headers: Readonly<Record<string, string>>): void {
    this.refusalHeaders = headers;
  }

  /** Writes a JSON response that is not a completion. */
  send(status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
    if (this.response.headersSent || this.response.destroyed) return;
    const text = Buffer.from(JSON.stringify(body));
    this.response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': String(text.length),
      'cache-control': 'no-store',
      ...this.headers,
      ...this.refusalHeaders,
      ...headers,
    });
    if (this.raw.method === 'HEAD') this.response.end();
    else if (headers.connection === 'close') this.linger(text);
    else this.response.end(text);
  }

  /** Writes an error. @param body in the form of chat completions */
  sendError(status: number, body: ReturnType<typeof errorBody>, headers: Readonly<Record<string, string>>): void {
    this.send(status, this.form.toError?.(status, body, this.rid) ?? body, headers);
  }

  /** Responds with an error; an unexpected error is logged, and the caller gets a 500. */
  refuse(error: unknown): void {
    if (error instanceof GatewayError) return this.sendError(error.status, error.body, error.headers);
    if (this.signal.reason !== null || error instanceof CallerLeftError) return;
    if (isDatabaseFull(error)) return this.refuse(new DatabaseDiskFullError());
    if (isDatabaseUnavailable(error)) return this.refuse(new DatabaseDownError());
    this.origin.log.error({ err: error, rid: this.rid }, 'unexpected error');
    this.refuse(new GatewayFaultError());
  }

  /** Responds without a body. */
  sendEmpty(status: number, headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(status, { ...this.headers, ...headers });
    this.response.end();
  }

  /** Lingering close: closing while the client still writes would reset the connection and lose the response. */
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

const NONE: Readonly<Record<string, string>> = {};
/** Errors and headers of chat completions. */
export const CHAT_FORM: ReplyForm = {};

const BEYOND_ASCII = /[\x80-\xff]/;

/** Node reads headers as Latin-1, clients write UTF-8. */
function utf8Of(value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
