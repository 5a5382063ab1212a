import { Environment, readServiceConfig, type ServiceConfig } from '@hone/platform';

const SWITCH = ['on', 'off'];
const VERSION = /^\d+\.\d+\.\d+$/;

export interface TraceConfig extends ServiceConfig {
  /** `/compat/weave`, `/traces` and `/graphql` are not served. */
  isSdkSurfaceOff: boolean;
  /** Version that SDKs take this server for; undefined: newer than any that they ask for. */
  sdkServerVersion: string | undefined;
  /** Where the inference gateway listens; undefined: completions are not served. */
  gatewayUrl: string | undefined;
}

/** What the trace service reads from its environment. */
export function readTraceConfig(environment = new Environment()): TraceConfig {
  const rateLimitRps = environment.integer('HONE_TRACE_RATE_LIMIT_RPS', 0, 1_000_000, 0) || undefined;
  const surface = environment.text('HONE_TRACE_SDK_SURFACE', 'on or off', (value) => SWITCH.includes(value), 'on');
  return {
    ...readServiceConfig(environment, 'HONE_TRACE_MAX_BODY_BYTES'),
    rateLimitRps,
    isSdkSurfaceOff: surface === 'off',
    sdkServerVersion: environment.optional('HONE_TRACE_SDK_SERVER_VERSION', 'a version such as 99.0.0', (value) =>
      VERSION.test(value),
    ),
    gatewayUrl: environment.origin('HONE_TRACE_GATEWAY_URL'),
  };
}
