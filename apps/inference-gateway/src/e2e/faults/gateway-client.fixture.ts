import { type IncomingMessage, request as httpRequest } from 'node:http';

import { GatewayAnswer } from './gateway-answer.fixture.js';

const PATH = '/v1/chat/completions';

/** A request whose response the spec reads itself. */
export interface OpenRequest {
  /** Resolves with the response headers. */
  readonly head: Promise<IncomingMessage>;
  /** Closes the connection. */
  leave(): void;
}

/** Calls a gateway over real connections. */
export class GatewayClient {
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  /** @param fields of the body beside the messages */
  async ask(fields: Record<string, unknown>, headers: Record<string, string> = {}): Promise<GatewayAnswer> {
    const response = await fetch(this.url + PATH, {
      method: 'POST',
      headers: this.headers(headers),
      body: bodyOf(fields),
    });
    return new GatewayAnswer(response.status, response.headers, await response.text());
  }

  open(fields: Record<string, unknown>, headers: Record<string, string> = {}): OpenRequest {
    const request = httpRequest(this.url + PATH, { method: 'POST', headers: this.headers(headers), agent: false });
    const head = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    });
    head.catch(() => undefined); // a caller that leaves ignores it
    request.end(bodyOf(fields));
    return { head, leave: () => void request.destroy() };
  }

  async get(path: string): Promise<Response> {
    return fetch(this.url + path, { headers: this.headers({}) });
  }

  private headers(more: Record<string, string>): Record<string, string> {
    return { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...more };
  }
}

const bodyOf = (fields: Record<string, unknown>): string =>
  JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], ...fields });
