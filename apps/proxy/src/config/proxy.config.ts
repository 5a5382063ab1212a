import { join } from 'node:path';

import { Environment, readTrustedProxies } from '@hone/platform/config';

import { type ServiceName, SERVICES } from '../routes/routes.js';

export interface ProxyConfig {
  host: string;
  port: number;
  /** Origins of the replicas of each service, at least one. */
  upstreams: Record<ServiceName, string[]>;
  /** Addresses and networks of the clients whose `X-Forwarded-*` headers are believed, besides this machine. */
  trustedProxies: string[];
  /** How long requests wait for a service of which no replica can be reached, from the beginning of its outage. */
  waitMs: number;
  /** Where spans come in as OTLP over gRPC; 0: nowhere. */
  otlpGrpcPort: number;
  /** Folder of the built console. */
  consoleDir: string;
}

const CONSOLE_DIR = join(import.meta.dirname, '../../../console/dist');

/** The variable that lists the replicas of a service, for example `HONE_TRACE_URLS`. */
export const urlsVariable = (service: ServiceName): string => `HONE_${service.toUpperCase().replaceAll('-', '_')}_URLS`;

export function readProxyConfig(environment = new Environment()): ProxyConfig {
  const upstreams = SERVICES.map((service) => {
    const urls = environment.text(
      urlsVariable(service),
      'addresses such as http://host:port, comma-separated',
      (value) => splitUrls(value).length > 0 && splitUrls(value).every(isOrigin),
    );
    return [service, splitUrls(urls)] as const;
  });
  return {
    host: environment.text('HOST', 'an address to listen on', (value) => value.length > 0, '127.0.0.1'),
    port: environment.port('PORT', 8080),
    upstreams: Object.fromEntries(upstreams) as ProxyConfig['upstreams'],
    trustedProxies: readTrustedProxies(environment),
    waitMs: environment.integer('HONE_PROXY_WAIT_S', 0, 600, 30) * 1_000,
    otlpGrpcPort: environment.integer('HONE_OTLP_GRPC_PORT', 0, 65_535, 0),
    consoleDir: CONSOLE_DIR,
  };
}

const splitUrls = (value: string): string[] =>
  value
    .split(',')
    .map((url) => url.trim().replace(/\/$/, ''))
    .filter(Boolean);

const isOrigin = (value: string): boolean => URL.canParse(value) && new URL(value).origin === value;
