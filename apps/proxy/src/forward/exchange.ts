import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';

import {
  brokenOff,
  MALFORMED,
  type OwnAnswer,
  requestIdOf,
  sendAnswer,
  timedOut,
  unavailable,
} from '../answers/own-answer.js';
import { answerHeaders, endsConnection, type IsTrusted, requestHeaders } from './headers.js';
import type { Replica, Replicas } from './replicas.js';

const SAFE_METHODS = new Set(['GET', 'HEAD']);
/** Between two rounds of the replicas while the service is being restarted. */
const ROUND_MS = 100;
/** Time for the rest of a refused body to arrive before its connection is closed. */
const LINGER_MS = 2_000;
const CLIENT_LEFT = new Error('The client went away.');

/**
 * One request on its way to a replica, and the answer on its way back; nothing is collected on either way.
 *
 * A request that reached no replica is tried at the next one, and again while the service is being restarted. One that
 * did and got no answer is repeated, once, only where repeating changes nothing. An answer that breaks off breaks the
 * client's connection.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private readonly id: string;
  private readonly body: Readable | null;
  private readonly untried: Replica[];
  private current: Replica;
  private controller: Dispatcher.DispatchController | undefined;
  private mayRepeat: boolean;
  private clientLeft = false;
  private isRefused = false;
  private round: NodeJS.Timeout | undefined;

  /** @param path request target, beginning with a slash */
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly path: string,
    private readonly replicas: Replicas,
    private readonly isTrusted: IsTrusted,
    private readonly log: Logger,
  ) {
    this.id = requestIdOf(request);
    this.body = openBody(request);
    this.mayRepeat = SAFE_METHODS.has(request.method ?? '') && !this.body;
    [this.current, ...this.untried] = replicas.inTurn() as [Replica, ...Replica[]];
    response.once('close', () => this.onClose());
  }

  send(): void {
    this.controller = undefined;
    const { path, request } = this;
    const method = request.method as Dispatcher.HttpMethod;
    const headers = requestHeaders(request, this.id, this.isTrusted);
    this.current.pool.dispatch({ path, method, headers, body: this.body }, this);
  }

  /** There is a connection, and the request is about to be written to it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.replicas.markReached();
    if (this.clientLeft) controller.abort(CLIENT_LEFT);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    const raw = (controller.rawHeaders as Buffer[]).map((part) => part.toString('latin1'));
    const headers = answerHeaders(raw, this.id);
    // The service does not want the rest of the body: neither connection can be used again.
    this.isRefused = !this.request.complete && endsConnection(raw);
    if (this.isRefused) headers.push('connection', 'close');
    this.response.on('drain', () => controller.resume());
    this.response.writeHead(status, headers);
    // A stream's client may wait for the head before there is anything to stream.
    if (!headers.includes('content-length')) this.response.flushHeaders();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.response.write(chunk)) controller.pause();
  }

  onResponseEnd(_controller: unknown, trailers: object = {}): void {
    // What a service says only at the end of its answer, for example how many rows it was.
    this.response.addTrailers(Object.entries(trailers).map(([name, value]): [string, string] => [name, String(value)]));
    if (this.isRefused) this.linger();
    else this.response.end();
  }

  /** Closing while the client still writes would reset the connection, and the client would lose the answer. */
  private linger(): void {
    const end = () => {
      clearTimeout(timer);
      this.response.end();
    };
    const timer = setTimeout(end, LINGER_MS);
    if (this.request.complete) end();
    else this.request.once('end', end).once('close', end);
  }

  onResponseError(_controller: unknown, error: Error & { code?: string }): void {
    if (this.clientLeft) return;
    if (this.response.headersSent) return this.breakOff(error);
    if (error.code === 'UND_ERR_INVALID_ARG') return this.answer(MALFORMED);
    if (!this.controller) return this.tryNext(error);
    if (error.code === 'UND_ERR_HEADERS_TIMEOUT') return this.answer(timedOut(this.replicas.service), error);
    if (!this.mayRepeat) return this.answer(brokenOff(this.replicas.service), error);
    this.mayRepeat = false;
    this.untried.push(this.current);
    this.tryNext(error);
  }

  private tryNext(error: Error): void {
    const next = this.untried.shift();
    if (!next) return this.waitForReplicas(error);
    this.current = next;
    this.send();
  }

  private waitForReplicas(error: Error): void {
    if (!this.replicas.isComingBack()) return this.answer(unavailable(this.replicas.service), error);
    this.untried.push(...this.replicas.inTurn());
    this.round = setTimeout(() => this.tryNext(error), ROUND_MS);
  }

  private answer(answer: OwnAnswer, error?: Error): void {
    if (error) this.log.info({ ...this.facts(error), status: answer.status }, 'no answer from the service');
    sendAnswer(this.response, this.id, answer);
  }

  /** Part of the answer is out: only a reset says that the rest is missing, whatever the framing. */
  private breakOff(error: Error): void {
    this.log.warn(this.facts(error), 'the answer broke off');
    this.response.socket?.resetAndDestroy();
  }

  private onClose(): void {
    if (this.response.writableFinished) return;
    this.clientLeft = true;
    clearTimeout(this.round);
    this.controller?.abort(CLIENT_LEFT);
  }

  private facts(error: Error & { code?: string }): Record<string, unknown> {
    return {
      requestId: this.id,
      service: this.replicas.service,
      url: this.current.url,
      reason: error.code ?? error.message,
    };
  }
}

/**
 * The request's body, or null when it has none. undici destroys the stream it is given as soon as the service answers;
 * the request itself must live on, so that a client which is still sending gets to read that answer.
 */
function openBody(request: IncomingMessage): Readable | null {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return null;
  const body = new PassThrough();
  body.once('close', () => {
    if (request.complete) return;
    request.unpipe(body);
    request.resume();
  });
  return request.pipe(body);
}
