import { Environment } from './environment.js';
import { readTrustedProxies } from './trusted-proxies.js';

/** What every service reads from its environment. */
export interface ServiceConfig {
  databaseUrl: string;
  host: string;
  port: number;
  /** Scheme of the refs that this server writes. */
  refScheme: string;
  logLevel: string;
  /** Most bytes of an unpacked request body. */
  bodyLimitBytes: number;
  /** The same for routes that declare `@TakesLargeBody()`. Default: the limit of the others. */
  largeBodyLimitBytes?: number;
  /** Addresses and networks whose `X-Forwarded-*` headers are believed, besides this machine. */
  trustedProxies: string[];
  /** Most connections to Postgres. */
  poolSize: number;
  /** Requests per second and key; undefined: no limit. */
  rateLimitRps?: number;
}

export const MIB = 1_048_576;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export function readServiceConfig(environment = new Environment(), bodyLimitVariable?: string): ServiceConfig {
  const bodyLimit = 32 * MIB;
  return {
    databaseUrl: environment.databaseUrl(),
    host: environment.text('HOST', 'an address to listen on', (value) => value.length > 0, '127.0.0.1'),
    port: environment.port('PORT', 3000),
    refScheme: environment.refScheme(),
    logLevel: environment.text('HONE_LOG_LEVEL', LOG_LEVELS.join(', '), (value) => LOG_LEVELS.includes(value), 'info'),
    bodyLimitBytes: bodyLimitVariable ? environment.integer(bodyLimitVariable, 1_024, 2 ** 30, bodyLimit) : bodyLimit,
    trustedProxies: readTrustedProxies(environment),
    poolSize: environment.integer('HONE_DATABASE_POOL', 1, 1_000, 16),
  };
}

/** Injection token of the {@link ServiceConfig}. */
export const SERVICE_CONFIG = Symbol('ServiceConfig');
