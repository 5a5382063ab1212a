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
  ask(fields: Record<string, unknown>, headers: Record<string, string> = {}): Promise<GatewayAnswer> {
    return this.post(PATH, bodyOf(fields), headers);
  }

  /** @throws TypeError the connection ends before the answer does */
  async post(path: string, body: string, headers: Record<string, string> = {}): Promise<GatewayAnswer> {
    const response = await this.fetch(path, body, headers);
    return new GatewayAnswer(response.status, response.headers, await response.text());
  }

  /** As {@link post}, but of a stream whose connection ends too soon it has what came. */
  async postUntilCut(path: string, body: string | Buffer, headers: Record<string, string>): Promise<GatewayAnswer> {
    const response = await this.fetch(path, body, headers);
    const read: Buffer[] = [];
    try {
      for await (const bytes of response.body ?? []) read.push(Buffer.from(bytes));
    } catch (error) {
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw error;
    }
    return new GatewayAnswer(response.status, response.headers, Buffer.concat(read).toString());
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

  private fetch(path: string, body: string | Buffer, headers: Record<string, string>): Promise<Response> {
    return fetch(this.url + path, { method: 'POST', headers: this.headers(headers), body });
  }

  private headers(more: Record<string, string>): Record<string, string> {
    return { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...more };
  }
}

const bodyOf = (fields: Record<string, unknown>): string =>
  JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], ...fields });
