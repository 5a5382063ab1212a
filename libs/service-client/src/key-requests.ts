import { setTimeout as sleep } from 'node:timers/promises';

import { KeyStore, SESSION_COOKIE, SESSION_HEADER, SessionRepository } from '@hone/auth';
import { Database, leastRecentlyUsed } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { KeyEndedError, ServiceRefusedError, ServiceUnavailableError } from './service-errors.js';

const MAX_SESSIONS = 1_000;
const SESSION_USED_MS = 6 * 3_600_000;
const REQUEST_MS = 120_000;
const AGAIN_MS = 250;

/** A request to another service. */
export interface KeyRequest {
  /** Absent: POST. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  /** JSON. Absent: none. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** How long a service that does not listen is waited for. */
  readonly patienceMs: number;
  readonly maxAnswerBytes: number;
  /** The service, as a sentence names it. */
  readonly name: string;
  /** Code of the error when it does not answer. */
  readonly unreachable: string;
}

export interface ServiceResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** When the request was sent that was answered. */
  readonly askedAt: Date;
  /** Milliseconds from then until the whole answer was there. */
  readonly latencyMs: number;
}

/**
 * Asks other services in the name of the owner of a key: rights, limits, budgets and usage are theirs. It opens a session
 * with the key, as a signed-in browser has one, which ends with the key; the token is in memory alone.
 */
@Injectable()
export class KeyRequests {
  private readonly tokens = leastRecentlyUsed<Promise<string>>({ max: MAX_SESSIONS, ttl: SESSION_USED_MS });

  constructor(
    private readonly keys: KeyStore,
    private readonly sessions: SessionRepository,
    private readonly database: Database,
  ) {}

  /** @throws KeyEndedError, ServiceUnavailableError, ServiceRefusedError (the answer is too large) */
  async ask(keyId: string, request: KeyRequest, isAgain = false): Promise<ServiceResponse> {
    const token = await this.tokenOf(keyId);
    const { response, askedAt, since } = await this.send(token, request);
    if (response.status === 401) {
      this.tokens.delete(keyId);
      if (isAgain) throw keyEnded();
      return this.ask(keyId, request, true);
    }
    const text = await textOf(response, request);
    const { status, headers } = response;
    return { status, headers, text, askedAt, latencyMs: Math.round(performance.now() - since) };
  }

  private tokenOf(keyId: string): Promise<string> {
    const known = this.tokens.get(keyId);
    if (known !== undefined) return known;
    const opened = this.open(keyId);
    this.tokens.set(keyId, opened);
    opened.catch(() => this.tokens.delete(keyId));
    return opened;
  }

  /** Outside the transaction of a request with an `Idempotency-Key`: other services see a session once it is committed. */
  private async open(keyId: string): Promise<string> {
    if ((await this.keys.findById(keyId)) === null) throw keyEnded();
    return (await this.database.detached(() => this.sessions.open(keyId))).secret;
  }

  private async send(
    token: string,
    request: KeyRequest,
  ): Promise<{ response: Response; askedAt: Date; since: number }> {
    const { signal, patienceMs, name, unreachable } = request;
    const until = performance.now() + patienceMs;
    for (;;) {
      const sent = { askedAt: new Date(), since: performance.now() };
      try {
        return { ...sent, response: await send(token, request) };
      } catch (error) {
        signal.throwIfAborted();
        const isRefused = (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED';
        if (!isRefused || performance.now() >= until)
          throw new ServiceUnavailableError(unreachable, `${name} did not answer.`, !isRefused);
      }
      await sleep(AGAIN_MS, undefined, { signal });
    }
  }
}

const keyEnded = () => new KeyEndedError('The key in whose name models are asked has ended.');

const send = (token: string, { method = 'POST', url, body, headers, signal }: KeyRequest): Promise<Response> =>
  fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      cookie: `${SESSION_COOKIE}=${token}`,
      [SESSION_HEADER]: '1',
      ...headers,
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
  });

async function textOf(response: Response, { maxAnswerBytes, name, unreachable }: KeyRequest): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += (chunk as Uint8Array).length;
      if (length > maxAnswerBytes)
        throw new ServiceRefusedError('answer_too_large', `The answer has more than ${maxAnswerBytes} bytes.`, true);
      chunks.push(chunk as Uint8Array);
    }
  } catch (error) {
    if (error instanceof ServiceRefusedError) throw error;
    throw new ServiceUnavailableError(unreachable, `The answer of ${lowered(name)} ended too early.`, true);
  }
  return Buffer.concat(chunks).toString();
}

const lowered = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
