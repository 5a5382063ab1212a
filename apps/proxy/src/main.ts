/**
 * One address for all services. Its layers, top first; an import may only point down (lint):
 *
 * - overview: readiness and the merged documentation of all services -> forward, answers, routes
 * - console: the files of the console, and links that lead to it -> answers
 * - otlp-grpc: OTLP over gRPC as OTLP over HTTP
 * - forward: a request on its way to a replica -> answers, routes
 * - config: settings -> routes
 * - answers: what the proxy answers itself
 * - routes: which service answers which path
 */
import { EnvironmentError } from '@hone/platform/config';
import pino from 'pino';

import { readProxyConfig } from './config/proxy.config.js';
import { OtlpGrpcServer } from './otlp-grpc/otlp-grpc-server.js';
import { ProxyServer } from './proxy-server.js';

/** Time for running requests after a stop: the services' 10 s, and some for their last bytes. */
const DRAIN_MS = 10_900;

const log = pino({ formatters: { bindings: () => ({ service: 'proxy' }) } });

try {
  const config = readProxyConfig();
  const proxy = new ProxyServer(config, log);
  let grpc: OtlpGrpcServer | undefined;
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void Promise.all([grpc?.close(DRAIN_MS), proxy.close(DRAIN_MS)]).then(() => process.exit(0));
    if (process.connected) process.send?.('draining'); // no new request is accepted from here on
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (process.send) process.on('disconnect', stop); // the launcher has died
  await proxy.listen(config.port, config.host);
  if (config.otlpGrpcPort > 0) grpc = await OtlpGrpcServer.listen(config.host, config.otlpGrpcPort, proxy.origin);
  process.send?.('listening');
} catch (error) {
  console.error(error instanceof EnvironmentError ? error.message : error);
  process.exit(1);
}
