import type { DispatchLimitsDto, UpstreamDto } from '@hone/contracts';

/** Time limits, retries and queueing of a request, as `DispatchLimitsDto` documents them. */
export const DEFAULT_LIMITS = {
  ttftMs: 10_000,
  ttftLastMs: 60_000,
  stallMs: 15_000,
  responseMs: 120_000,
  totalMs: 600_000,
  retries: 2,
  maxAttempts: 6,
  backoffMs: 500,
  backoffMaxMs: 8_000,
  retryAfterMaxMs: 5_000,
  doneGraceMs: 1_000,
  queueMax: 512,
  queueMs: 10_000,
  writeStallMs: 120_000,
  keepaliveMs: 15_000,
  bufferMaxBytes: 8 * 1_048_576,
} satisfies LimitsOf<DispatchLimitsDto>;

export type Limits = Readonly<LimitsOf<DispatchLimitsDto>>;

/** Circuit breaker and cooldown of a target, as `UpstreamDto` documents them. */
export const DEFAULT_HEALTH_LIMITS = {
  breakerFailures: 3,
  breakerOpenMs: 5_000,
  breakerOpenMaxMs: 15_000,
  coolingMs: 1_000,
  coolingMaxMs: 15_000,
  outMs: 60_000,
} satisfies LimitsOf<HealthLimitsDto>;

export type HealthLimits = Readonly<LimitsOf<HealthLimitsDto>>;

type HealthLimitsDto = Omit<UpstreamDto, keyof DispatchLimitsDto | 'name' | 'kind' | 'enabled' | 'max_concurrency'>;

/** `ttft_ms` of the file is `ttftMs` here. */
type LimitsOf<Dto> = { [Field in keyof Dto & string as Camel<Field>]-?: number };
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
