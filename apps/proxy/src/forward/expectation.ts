import { type ClientRequest, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';

import type { Logger } from 'pino';

import { brokenOff, requestIdOf, sendAnswer } from '../answers/own-answer.js';
import { answerHeaders, type IsTrusted, requestHeaders } from './headers.js';
import type { Replicas } from './replicas.js';

/**
 * A request whose client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). The service says
 * whether it wants the body, or refuses it unsent. On a connection of its own: undici takes a `100` for a broken answer.
 */
export class Expectation {
  private isContinued = false;

  /** @param path request target, beginning with a slash */
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly path: string,
    private readonly replicas: Replicas,
    private readonly isTrusted: IsTrusted,
    private readonly log: Logger,
  ) {}

  /** @param onUnreached the service was not reached, or left without a word: the body has not been asked for yet */
  send(onUnreached: () => void): void {
    const { request, response, path } = this;
    const id = requestIdOf(request);
    const [replica] = this.replicas.inTurn();
    const { hostname, port } = new URL(replica?.url ?? '');
    const headers = [...requestHeaders(request, id, this.isTrusted), 'expect', '100-continue'];
    const forwarded = sendRequest({ hostname, port, path, method: request.method, headers, agent: false });
    const leave = () => void (response.writableFinished || forwarded.destroy());
    response.once('close', leave);
    forwarded.once('continue', () => this.continue(forwarded));
    forwarded.once('response', (answer) => this.answer(answer, id));
    forwarded.on('error', (error: Error) => {
      if (response.destroyed || response.headersSent) return;
      if (!this.isContinued) {
        response.off('close', leave);
        onUnreached();
        return;
      }
      this.log.info(
        { requestId: id, service: this.replicas.service, reason: error.message },
        'no answer from the service',
      );
      sendAnswer(response, id, brokenOff(this.replicas.service));
    });
    forwarded.flushHeaders();
  }

  private continue(forwarded: ClientRequest): void {
    this.isContinued = true;
    this.replicas.markReached();
    this.response.writeContinue();
    this.request.pipe(forwarded);
  }

  private answer(answer: IncomingMessage, id: string): void {
    const { request, response } = this;
    const headers = answerHeaders(answer.rawHeaders, id);
    // The body will not come, or not be read to its end: what follows on this connection could not be told from it.
    if (!request.complete) headers.push('connection', 'close');
    response.writeHead(answer.statusCode ?? 502, headers);
    if (!headers.includes('content-length')) response.flushHeaders();
    answer.on('error', () => response.socket?.resetAndDestroy());
    answer.pipe(response);
  }
}
