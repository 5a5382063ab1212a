import { Agent, type IncomingMessage, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import type { RequestOptions, TestClient, TestResponse } from '@hone/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * Sends requests with one `Authorization` header over connections that are kept, as clients in production do: all but
 * the first come from a caller who is known already.
 *
 * @param authorization undefined: none
 */
export function connectedClient(app: NestFastifyApplication, authorization: string | undefined): TestClient {
  const agent = new Agent({ keepAlive: true });
  const ask =
    (method: string) =>
    async (path: string, body?: unknown, { headers = {} }: RequestOptions = {}): Promise<TestResponse> => {
      const port = await portOf(app);
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = {
          ...(authorization && { authorization }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        };
        const request = send({ agent, host: '127.0.0.1', port, method, path, headers: sent }, resolve);
        request.on('error', reject);
        if (body === undefined) request.end();
        else request.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
      });
      const bytes = await buffer(response);
      const text = bytes.toString();
      const { statusCode = 0, headers: answered } = response;
      return { status: statusCode, headers: answered, bytes, text, json: () => JSON.parse(text) };
    };
  return {
    get: (path, options) => ask('GET')(path, undefined, options),
    post: ask('POST'),
    put: ask('PUT'),
    delete: ask('DELETE'),
  };
}

const listening = new WeakMap<NestFastifyApplication, Promise<unknown>>();

/** The service listens from the first request on. */
async function portOf(app: NestFastifyApplication): Promise<number> {
  const server = app.getHttpServer() as Server;
  if (!server.listening) {
    if (!listening.has(app)) listening.set(app, app.listen(0, '127.0.0.1'));
    await listening.get(app);
  }
  return (server.address() as AddressInfo).port;
}
