import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

import type * as Undici from 'undici';
import type { Agent, Dispatcher } from 'undici';

import type { TinkerSettings } from '../configuration/engine-settings.js';
import { EngineCapacityError, EngineFailedError, EngineLostError, EngineUnreachableError } from '../tinker.errors.js';
import { readBytes, sentenceOf } from './answers.js';
import { type EngineObserver, NO_OBSERVER, type RequestOutcome } from './engine-observer.js';
import { WireFormatError } from './forward-backward.js';

/** Loaded lazily, with the first client: processes without training servers do not need it. */
const undici = (): typeof Undici => createRequire(import.meta.url)('undici') as typeof Undici;

/** Times of the connection to a server. */
export interface WireTimes {
  /** Timeout of the TCP and TLS handshakes. */
  readonly connectMs: number;
  /** Longest silence in an answer. */
  readonly silenceMs: number;
  /** Longest wait of one look for the result of a request; it is then looked for again. */
  readonly pollMs: number;
  /** How long requests to an unreachable server are retried. */
  readonly patienceMs: number;
  /** Between two heartbeats of a session, which servers drop after 300 s without one. */
  readonly beatMs: number;
}

export const DEFAULT_WIRE_TIMES: WireTimes = {
  connectMs: 10_000,
  silenceMs: 60_000,
  pollMs: 45_000,
  patienceMs: 20_000,
  beatMs: 10_000,
};

export interface WireRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Below the URL of the server. */
  readonly path: string;
  readonly json?: object;
  readonly protobuf?: Uint8Array;
  readonly maxBytes?: number;
  /** False: a lost answer must not lead to a second request. Default true. */
  readonly mayRepeat?: boolean;
  /** A look for a result: after so long, or with a 408, it is not there yet. */
  readonly pollMs?: number;
}

/** The result of a request is not there yet. */
export class NotYetError extends Error {}

const MAX_JSON_BYTES = 1_048_576;
const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 2_000;
const NO_ROOM = /maximum number of lora adapters/i;
/** Messages of Ray, and of the collectives of JAX and PyTorch, when a part of the cluster is lost. */
const WORKER_GONE = [
  /\b(actor|worker|raylet|node|owner)\b[^.]{0,120}\b(died|dead|crashed|unavailable)\b/i,
  /\bconnection (reset|closed|refused)\b/i,
  /\b(UNAVAILABLE|DEADLINE_EXCEEDED):/,
];
const UNKNOWN = /not loaded|not found|has expired|unknown (model|session|future)/i;

/** A server's refusal, by the status and sentence of its answer. */
class RefusedError extends Error {
  constructor(
    readonly status: number,
    readonly sentence: string,
  ) {
    super(`${status}: ${sentence}`);
  }
}

/** Sends requests to one server, asks again while it does not answer, and bounds what it answers. */
export class TinkerHttp {
  private readonly agent: Agent;

  constructor(
    readonly settings: TinkerSettings,
    readonly times: WireTimes = DEFAULT_WIRE_TIMES,
    private readonly observer: EngineObserver = NO_OBSERVER,
  ) {
    this.agent = new (undici().Agent)({
      connect: { timeout: times.connectMs },
      headersTimeout: times.silenceMs,
      bodyTimeout: times.silenceMs,
      connections: 32,
    });
  }

  /**
   * The body of a good answer.
   *
   * @throws EngineUnreachableError, EngineCapacityError, EngineLostError, EngineFailedError
   * @throws NotYetError from a look for a result
   * @throws the reason of `signal`
   */
  async send(order: WireRequest, signal: AbortSignal): Promise<Buffer> {
    const { settings, times } = this;
    const end = performance.now() + times.patienceMs;
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, MAX_DELAY_MS)) {
      try {
        const bytes = await this.once(order, signal);
        this.observe(order, 'ok');
        return bytes;
      } catch (error) {
        signal.throwIfAborted();
        const outcome = outcomeOf(order, error);
        this.observe(order, outcome);
        if (outcome === 'pending') throw new NotYetError();
        if (error instanceof WireFormatError) throw new EngineFailedError(settings.name, `${error.message}.`);
        if (error instanceof RefusedError && !isPassing(error.status)) throw this.explain(error);
        const isOver = performance.now() + delay > end || order.mayRepeat === false;
        if (isOver) throw new EngineUnreachableError(settings.name, reasonOf(error));
        await sleep(delay, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Opens a download of this server, or of a host that it refers to and the configuration allows.
   *
   * @throws EngineFailedError the host is not allowed
   */
  async open(url: URL, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const isOwn = url.origin === new URL(this.settings.url).origin;
    if (!isOwn && !this.isArchiveHost(url)) {
      throw new EngineFailedError(
        this.settings.name,
        `it refers to ${url.host}, which is neither its own host nor one of archive_hosts.`,
      );
    }
    // The key is for the server alone.
    const headers = isOwn ? this.headers() : {};
    const answer = await undici().request(url, { dispatcher: this.agent, signal, headers });
    const { statusCode: status } = answer;
    this.observe({ path: 'archive' }, status < 400 ? 'ok' : isPassing(status) ? 'unavailable' : 'refused');
    return answer;
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  private async once({ method = 'POST', path, json, protobuf, maxBytes, pollMs }: WireRequest, signal: AbortSignal) {
    const limits = pollMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(pollMs)]);
    const answer = await undici().request(`${this.settings.url}/${path}`, {
      method,
      dispatcher: this.agent,
      signal: limits,
      headers: {
        ...this.headers(),
        ...(json && { 'content-type': 'application/json' }),
        ...(protobuf && { 'content-type': 'application/x-protobuf' }),
      },
      body: protobuf ?? (json && JSON.stringify(json)) ?? null,
    });
    const { statusCode, body } = answer;
    if (statusCode >= 200 && statusCode < 300) return readBytes(body, maxBytes ?? MAX_JSON_BYTES);
    throw new RefusedError(statusCode, sentenceOf(await readBytes(body, MAX_JSON_BYTES)));
  }

  private headers(): Record<string, string> {
    const { apiKey } = this.settings;
    return { accept: '*/*', ...(apiKey !== null && { 'x-api-key': apiKey }) };
  }

  /** The first part of a path names the call; what follows are ids. */
  private observe({ path }: WireRequest, outcome: RequestOutcome): void {
    this.observer.request(this.settings.name, path.split('/')[0] as string, outcome);
  }

  private isArchiveHost(url: URL): boolean {
    const { archiveHosts } = this.settings;
    return (
      ['http:', 'https:'].includes(url.protocol) && [url.host, url.hostname].some((host) => archiveHosts.includes(host))
    );
  }

  private explain({ status, sentence }: RefusedError): Error {
    const { name } = this.settings;
    if (NO_ROOM.test(sentence)) return new EngineCapacityError(name, sentence);
    // The server has to be repaired, as if it did not answer: the job is not at fault.
    if (WORKER_GONE.some((pattern) => pattern.test(sentence))) return new EngineUnreachableError(name, sentence);
    if (status === 404 || (status === 400 && UNKNOWN.test(sentence))) return new EngineLostError(name, sentence);
    return new EngineFailedError(name, `it answers ${status}: ${sentence}`);
  }
}

/** Statuses that are transient, or that an operator has to repair. */
const isPassing = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500;

const isNotYet = (error: unknown): boolean =>
  error instanceof RefusedError ? error.status === 408 : (error as Error).name === 'TimeoutError';

function outcomeOf({ pollMs }: WireRequest, error: unknown): Exclude<RequestOutcome, 'ok'> {
  if (pollMs !== undefined && isNotYet(error)) return 'pending';
  const isRefused = error instanceof RefusedError ? !isPassing(error.status) : error instanceof WireFormatError;
  return isRefused ? 'refused' : 'unavailable';
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedError) return `it answers ${error.status}`;
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name ?? 'the connection broke';
}
