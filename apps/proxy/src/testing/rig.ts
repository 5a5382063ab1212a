import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import pino from 'pino';

import { ProxyServer } from '../proxy-server.js';
import { type ServiceName, SERVICES } from '../routes/routes.js';

/** A port that refuses connections. */
export const DEAD_URL = 'http://127.0.0.1:1';

export interface Rig {
  proxy: ProxyServer;
  url: string;
  port: number;
  stop: () => Promise<void>;
}

interface RigOptions {
  /** How long requests wait for a service that is down. Default 0. */
  waitMs?: number;
}

/** A real proxy in front of fake services; services without a listener are down. */
export async function startRig(
  upstreams: Partial<Record<ServiceName, (RequestListener | string)[]>>,
  { waitMs = 0 }: RigOptions = {},
): Promise<Rig> {
  const servers: Server[] = [];
  const urls = {} as Record<ServiceName, string[]>;
  for (const service of SERVICES) {
    urls[service] = [];
    for (const upstream of upstreams[service] ?? [DEAD_URL]) {
      if (typeof upstream === 'string') urls[service].push(upstream);
      else {
        const server = createServer(upstream);
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        servers.push(server);
        urls[service].push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      }
    }
  }
  const proxy = new ProxyServer(
    { upstreams: urls, trustedProxies: [], waitMs, consoleDir: '' },
    pino({ level: 'silent' }),
  );
  await proxy.listen(0, '127.0.0.1');
  const { port } = proxy.server.address() as AddressInfo;
  return {
    proxy,
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await proxy.close(0);
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

export interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  text: string;
  complete: boolean;
}

export interface SendOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** One request on a connection of its own; `complete` is false when the answer was cut off. */
export function send(rig: Rig, path: string, { method = 'GET', headers = {}, body }: SendOptions = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port: rig.port, host: '127.0.0.1', path, method, headers, agent: false });
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      const end = () =>
        resolve({
          status: response.statusCode as number,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          text: Buffer.concat(chunks).toString(),
          complete: response.complete,
        });
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', end)
        .on('error', end);
    });
    if (body !== undefined) request.setHeader('content-length', Buffer.byteLength(body));
    request.end(body);
  });
}

/** The whole body of a request, as a fake service received it. */
export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
