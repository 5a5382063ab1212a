import { Environment, readServiceConfig, type ServiceConfig } from '@hone/platform';

/** What the trace service reads from its environment. */
export interface TraceConfig extends ServiceConfig {
  /** Requests per second and key; undefined: no limit. */
  rateLimitRps: number | undefined;
}

export function readTraceConfig(environment = new Environment()): TraceConfig {
  const rps = environment.integer('HONE_TRACE_RATE_LIMIT_RPS', 0, 1_000_000, 0);
  return { ...readServiceConfig(environment, 'HONE_TRACE_MAX_BODY_BYTES'), rateLimitRps: rps || undefined };
}
