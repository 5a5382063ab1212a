import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { trustOf } from '@hone/platform/config';
import type { Logger } from 'pino';

import { methodNotAllowed, NOT_FOUND, requestIdOf, sendAnswer, STOPPING } from './answers/own-answer.js';
import type { ProxyConfig } from './config/proxy.config.js';
import { ConsoleFiles } from './console/console-files.js';
import { consoleAnswer } from './console/console-pages.js';
import { Exchange } from './forward/exchange.js';
import { Expectation } from './forward/expectation.js';
import { Replicas } from './forward/replicas.js';
import { findPage } from './overview/pages.js';
import { findService, type ServiceName, SERVICES } from './routes/routes.js';

/** Above the 60 s after which common load balancers and clients drop an idle connection, so that we never race them. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** A client has this long to send the headers of a request, and is disconnected at the next check. */
const HEADERS_TIMEOUT_MS = 10_000;
const CHECK_MS = 1_000;
/** For one whole request body; a dataset over a slow line takes its time. */
const REQUEST_TIMEOUT_MS = 3_600_000;
const IDLE_CHECK_MS = 50;

/** The one address of all services: streams requests to them and their answers back. */
export class ProxyServer {
  readonly server: Server;
  private readonly services: Record<ServiceName, Replicas>;
  private readonly isTrusted: (address: string) => boolean;
  private readonly console: ConsoleFiles;
  private stopping = false;

  constructor(
    config: Pick<ProxyConfig, 'upstreams' | 'trustedProxies' | 'waitMs' | 'consoleDir'>,
    private readonly log: Logger,
  ) {
    const services = SERVICES.map((name) => new Replicas(name, config.upstreams[name], config.waitMs));
    this.services = Object.fromEntries(services.map((one) => [one.service, one])) as Record<ServiceName, Replicas>;
    this.isTrusted = trustOf(config.trustedProxies);
    this.console = new ConsoleFiles(config.consoleDir);
    this.server = createServer(
      {
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        headersTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
      },
      (request, response) => this.handle(request, response),
    );
    this.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      this.handle(request, response, true);
    });
  }

  /** Where this machine reaches it. */
  get origin(): string {
    const { address, port, family } = this.server.address() as AddressInfo;
    const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
    return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
  }

  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, () => resolve());
    });
  }

  /** Takes no new request, lets running ones end for `drainMs`, then breaks off what is left. */
  async close(drainMs: number): Promise<void> {
    this.stopping = true;
    for (const replicas of Object.values(this.services)) replicas.giveUp();
    const closed = new Promise((resolve) => this.server.close(resolve));
    const abort = new AbortController();
    const deadline = Date.now() + drainMs;
    void closed.then(() => abort.abort());
    while (!abort.signal.aborted && Date.now() < deadline) {
      this.server.closeIdleConnections();
      await sleep(IDLE_CHECK_MS, undefined, { signal: abort.signal }).catch(() => undefined);
    }
    this.server.closeAllConnections();
    await Promise.all(Object.values(this.services).map((replicas) => replicas.destroy()));
  }

  /** @param isExpecting the client waits for `100 Continue` */
  private handle(request: IncomingMessage, response: ServerResponse, isExpecting = false): void {
    response.on('error', () => undefined); // the client disconnected: the exchange gets 'close'
    if (this.stopping) return this.refuse(request, response);
    const target = originForm(request.url ?? '/');
    const path = target.split('?', 1)[0] as string;
    const service = findService(path);
    if (!service) return void this.answerPage(request, response, path);
    const parts = [request, response, target, this.services[service], this.isTrusted, this.log] as const;
    if (!isExpecting) return new Exchange(...parts).send();
    new Expectation(...parts).send(() => {
      // Nobody is there to ask: the body waits here for the service.
      response.writeContinue();
      new Exchange(...parts).send();
    });
  }

  private async answerPage(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const page = findPage(path);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const services = Object.values(this.services);
    const answer = !page
      ? (consoleAnswer(this.console, request, path) ?? NOT_FOUND)
      : isRead
        ? await page(services)
        : methodNotAllowed(request.method ?? '');
    sendAnswer(response, requestIdOf(request), answer);
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    response.shouldKeepAlive = false;
    sendAnswer(response, requestIdOf(request), STOPPING);
  }
}

/** `http://host/path` is legal in a request line and means `/path`. */
function originForm(target: string): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  return target.slice(new URL(target).origin.length) || '/';
}
