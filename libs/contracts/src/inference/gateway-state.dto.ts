import { IsOptional } from 'class-validator';

import { IsDateTime } from '../names/date-time.js';
import { IsUuid } from '../names/uuid.js';
import { IsQueryInteger } from '../query/query-rules.js';
import { AcceptsUnknownFields, MayOmit, Nested, NestedList } from '../validation/rule.js';
import { IsFlag, IsInteger, IsNumber, IsText, IsTextList, IsWord } from '../validation/rules.js';

/** How many of a target's failures a gateway keeps. */
const KEPT_FAILURES = 20;

/** Query of `GET /v1/gateway`. */
@AcceptsUnknownFields()
export class GatewayStateQueryDto {
  /** How many of its last failures each target shows, 0 to 20. Absent: all that are kept, which are 20 at most. */
  @MayOmit() @IsQueryInteger(0, KEPT_FAILURES, KEPT_FAILURES) failures?: number;
}

/** States of a circuit breaker. */
export const BREAKER_STATES = ['closed', 'open', 'half-open'] as const;

/** Why an attempt at a target failed. */
export const GATEWAY_FAILURE_REASONS = [
  'unreachable',
  'reset',
  'silent',
  'interrupted',
  'stalled',
  'damaged',
  'reported',
  'invalid',
  'mismatched',
  'oversized',
  'redirected',
  'rate_limited',
  'overloaded',
  'failed',
  'unauthorized',
  'no_quota',
  'no_model',
  'not_loaded',
  'no_slot',
  'context_length',
  'content_filter',
  'rejected',
  'crashed',
  'corrupt',
  'dead_end',
] as const;
export type GatewayFailureReason = (typeof GATEWAY_FAILURE_REASONS)[number];

/** The gateway process that answered. */
export class GatewayInstanceDto {
  /** Id that the process made for itself when it started. */
  @IsUuid() id!: string;
  /** When the process started: what the answer counts begins then. */
  @IsDateTime() started_at!: string;
  /** Name of its machine or container. Null: the caller is no operator. */
  @IsOptional() @IsText() hostname!: string | null;
}

/** A failed attempt at a target: what happened to it, never what was asked or answered. */
export class GatewayFailureDto {
  /** When the attempt failed. */
  @IsDateTime() at!: string;
  /** Route that the request named; `trained` for a trained model that the caller may not read. */
  @IsText() route!: string;
  /** Id of the request, as its log line and its answer have it. Null: the caller is no operator. */
  @IsOptional() @IsText() request_id!: string | null;
  /** Number of the attempt within its request, at whatever target, from 1. */
  @IsInteger({ min: 1 }) attempt!: number;
  /** Why the attempt failed, as `docs/concepts/routing.md` explains each. */
  @IsWord(GATEWAY_FAILURE_REASONS) reason!: GatewayFailureReason;
  /** `error.code` that the caller gets when no other target answers. */
  @IsText() code!: string;
  /** Status of the upstream's answer. Null: there was none. */
  @IsOptional() @IsInteger({ min: 100, max: 999 }) upstream_status!: number | null;
  /** Milliseconds from dispatch to the failure. */
  @IsNumber({ min: 0 }) duration_ms!: number;
  /** The caller had a part of the answer already, so no other target was tried. */
  @IsFlag() forwarded!: boolean;
  /** State of the target's circuit breaker right after the failure. */
  @IsWord(BREAKER_STATES) breaker!: (typeof BREAKER_STATES)[number];
  /** `<upstream>/<model>` that the request tried next; the same target: a retry. Null: none, or not yet. */
  @IsOptional() @IsText() moved_to!: string | null;
}

/** Circuit breaker of a target. */
export class GatewayBreakerDto {
  /** `closed`: requests go there; `open`: none do; `half-open`: one at a time probes whether the target is back. */
  @IsWord(BREAKER_STATES) state!: (typeof BREAKER_STATES)[number];
  /** Since when it is in this state. */
  @IsDateTime() since!: string;
  /** When an open one lets a probe through. Null: it is not open. */
  @IsOptional() @IsDateTime() half_open_at!: string | null;
}

/** Quantiles of times, in milliseconds, to within 5 percent. */
export class GatewayLatencyDto {
  /** Median of the times. */
  @IsNumber({ min: 0 }) p50!: number;
  /** The 99th percentile of the times. */
  @IsNumber({ min: 0 }) p99!: number;
}

/** One model at one upstream, over all routes to it. */
export class GatewayTargetDto {
  /** `<upstream>/<model>`; of a trained model `<upstream>/<reference with its step>`. */
  @IsText() id!: string;
  /** Name of the upstream. */
  @IsText() upstream!: string;
  /** Name of the model at the upstream; of a trained model, its base model. */
  @IsText() model!: string;
  /** Requests may be sent there: it is not out, and its breaker lets them through. */
  @IsFlag() healthy!: boolean;
  /** Its circuit breaker. */
  @Nested(() => GatewayBreakerDto) breaker!: GatewayBreakerDto;
  /** Until when it gets no requests, as its key, its quota or the model is missing. Null: it is not out. */
  @IsOptional() @IsDateTime() out_until!: string | null;
  /** Until when other targets are preferred, as it answered 429. Null: they are not. */
  @IsOptional() @IsDateTime() cooling_until!: string | null;
  /** Attempts that run. */
  @IsInteger({ min: 0 }) in_flight!: number;
  /** Slots: attempts at once. */
  @IsInteger({ min: 1 }) max_concurrency!: number;
  /** Requests that wait for a slot here; one may wait for several targets. */
  @IsInteger({ min: 0 }) queued!: number;
  /** Attempts that ended within the window. Those that their callers aborted are not counted. */
  @IsInteger({ min: 0 }) attempts!: number;
  /** Attempts that failed within the window. Not counted: what the request was at fault for, such as a 400. */
  @IsInteger({ min: 0 }) failed!: number;
  /** From dispatch to the end of whole answers within the window. Null: there was none. */
  @IsOptional() @Nested(() => GatewayLatencyDto) latency_ms!: GatewayLatencyDto | null;
  /** From dispatch to the first token of streams within the window. Null: there was none. */
  @IsOptional() @Nested(() => GatewayLatencyDto) first_token_ms!: GatewayLatencyDto | null;
  /** The last failures, newest first, however long ago; as many as `failures` asks for. */
  @NestedList(() => GatewayFailureDto) failures!: GatewayFailureDto[];
}

/** A target in a route. */
export class GatewayRouteTargetDto {
  /** `id` of one of the `targets`. */
  @IsText() target!: string;
  /** Its tier: targets of the lowest priority come first. */
  @IsInteger({ min: 0 }) priority!: number;
  /** Its share of the load among the targets of its tier. */
  @IsNumber({ above: 0 }) weight!: number;
}

/** A model id that callers may send, with its targets. */
export class GatewayRouteDto {
  /** Id of the route; of a trained model, its reference with the step. */
  @IsText() id!: string;
  /** `configured`, or `trained`: a trained model that requests have named lately. */
  @IsWord(['configured', 'trained']) kind!: 'configured' | 'trained';
  /** Other names of the route. */
  @IsTextList() aliases!: string[];
  /** How a target of a tier is chosen. */
  @IsWord(['least_busy', 'weighted']) strategy!: 'least_busy' | 'weighted';
  /** When a stream begins: at its first token, or once it is whole. */
  @IsWord(['passthrough', 'buffered']) stream_guard!: 'passthrough' | 'buffered';
  /** Requests of this route that wait for a slot. */
  @IsInteger({ min: 0 }) queued!: number;
  /** By priority, lowest first. Empty: all upstreams of the route are disabled. */
  @NestedList(() => GatewayRouteTargetDto) targets!: GatewayRouteTargetDto[];
}

/** An adapter of a trained model in a server. */
export class GatewayAdapterDto {
  /** Id of the trained model. */
  @IsUuid() model_id!: string;
  /** Step of its checkpoint. */
  @IsInteger({ min: 0 }) step!: number;
  /** `probing`: it is loaded, and its first answer is checked; `draining`: it leaves when its requests have ended. */
  @IsWord(['loading', 'probing', 'ready', 'draining']) state!: 'loading' | 'probing' | 'ready' | 'draining';
  /** Attempts that run with it. */
  @IsInteger({ min: 0 }) in_flight!: number;
}

/** The adapters that the process has loaded into a vLLM server. */
export class GatewayAdaptersDto {
  /** How many it loads at most. */
  @IsInteger({ min: 1 }) max!: number;
  /** How many it has loaded, or is loading. */
  @IsInteger({ min: 0 }) held!: number;
  /** Which ones, the last used first. Null: the caller is no operator. */
  @IsOptional() @NestedList(() => GatewayAdapterDto) list!: GatewayAdapterDto[] | null;
}

/** An upstream of the configuration. */
export class GatewayUpstreamDto {
  /** Its name. */
  @IsText() name!: string;
  /** The engine of the process itself, or a server with OpenAI's API. */
  @IsWord(['embedded', 'openai-compatible']) kind!: 'embedded' | 'openai-compatible';
  /** False: the configuration has it disabled, and it gets no requests. */
  @IsFlag() enabled!: boolean;
  /** Host and port of its address, without path and credentials. Null: embedded, or the caller is no operator. */
  @IsOptional() @IsText() host!: string | null;
  /** Adapters of trained models. Null: none are loaded into it. */
  @IsOptional() @Nested(() => GatewayAdaptersDto) adapters!: GatewayAdaptersDto | null;
}

/** Answer of `GET /v1/gateway`: what one gateway process knows. Other processes have their own state. */
export class GatewayStateDto {
  /** The process that answered. */
  @Nested(() => GatewayInstanceDto) instance!: GatewayInstanceDto;
  /** When the process read its state. */
  @IsDateTime() read_at!: string;
  /** Length of the window in which attempts and times count: whole minutes and the current one. */
  @IsInteger({ min: 1 }) window_seconds!: number;
  /** The upstreams file was changed and is wrong: the configuration before it stays in effect. */
  @IsFlag() file_refused!: boolean;
  /** Configured routes, then those of trained models that the caller may read, the latest first, 100 at most. */
  @NestedList(() => GatewayRouteDto) routes!: GatewayRouteDto[];
  /** Every target of the routes once. */
  @NestedList(() => GatewayTargetDto) targets!: GatewayTargetDto[];
  /** The upstreams of the configuration. */
  @NestedList(() => GatewayUpstreamDto) upstreams!: GatewayUpstreamDto[];
}
