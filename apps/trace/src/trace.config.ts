import { Environment, readServiceConfig, type ServiceConfig } from '@hone/platform';

/** What the trace service reads from its environment. */
export function readTraceConfig(environment = new Environment()): ServiceConfig {
  const rateLimitRps = environment.integer('HONE_TRACE_RATE_LIMIT_RPS', 0, 1_000_000, 0) || undefined;
  return { ...readServiceConfig(environment, 'HONE_TRACE_MAX_BODY_BYTES'), rateLimitRps };
}
