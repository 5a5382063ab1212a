import { IsOptional } from 'class-validator';

import { IsInteger } from '../validation/rules.js';

/** Time limits, retries and queueing of requests: at an upstream, or on a route, which wins. Milliseconds. */
export class DispatchLimitsDto {
  /** Streams: from dispatch to the first answer frame. Default 10,000. */
  @IsOptional() @IsInteger({ min: 1 }) ttft_ms?: number | null;
  /** The same when no other target could answer. Default 60,000. */
  @IsOptional() @IsInteger({ min: 1 }) ttft_last_ms?: number | null;
  /** Longest gap between parts of an answer; comments and blank lines in between are none. Default 15,000. */
  @IsOptional() @IsInteger({ min: 1 }) stall_ms?: number | null;
  /** Whole answers: from dispatch to the headers. Default 120,000. */
  @IsOptional() @IsInteger({ min: 1 }) response_ms?: number | null;
  /** The whole request, with all attempts and waits. Default 600,000. */
  @IsOptional() @IsInteger({ min: 1 }) total_ms?: number | null;
  /** Retries on one target. Default 2. */
  @IsOptional() @IsInteger({ min: 0 }) retries?: number | null;
  /** Attempts of one request over all targets. Default 6. */
  @IsOptional() @IsInteger({ min: 1 }) max_attempts?: number | null;
  /** Back-off before the first retry on a target; it doubles with each. Default 500. */
  @IsOptional() @IsInteger({ min: 0 }) backoff_ms?: number | null;
  /** Longest back-off. Default 8,000. */
  @IsOptional() @IsInteger({ min: 0 }) backoff_max_ms?: number | null;
  /** Longest `Retry-After` that a request waits for. Default 5,000. */
  @IsOptional() @IsInteger({ min: 0 }) retry_after_max_ms?: number | null;
  /** Silence after all choices have finished that counts as the end of a stream. Default 1,000. */
  @IsOptional() @IsInteger({ min: 1 }) done_grace_ms?: number | null;
  /** Requests that may wait in the queue of one tier. Default 512. */
  @IsOptional() @IsInteger({ min: 0 }) queue_max?: number | null;
  /** Longest wait in a queue. Default 10,000. */
  @IsOptional() @IsInteger({ min: 0 }) queue_ms?: number | null;
  /** A caller who reads no byte for this long is disconnected. Default 120,000. */
  @IsOptional() @IsInteger({ min: 1 }) write_stall_ms?: number | null;
  /** Silence after which a buffered stream sends an SSE comment; 0: never. Default 15,000. */
  @IsOptional() @IsInteger({ min: 0 }) keepalive_ms?: number | null;
  /** Most bytes that the buffered guard holds. Default 8 MiB. */
  @IsOptional() @IsInteger({ min: 1 }) buffer_max_bytes?: number | null;
}
