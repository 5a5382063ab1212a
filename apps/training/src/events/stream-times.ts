/** How a stream of events keeps its time. */
export interface StreamTimes {
  /** Interval of the poll that finds events when a notification is lost. */
  pollMs: number;
  /** A comment is sent so often, so that nothing in between takes the connection for dead. */
  pingMs: number;
  /** A stream is closed then, for its client to resume. */
  maxMs: number;
}

/** Injection token of the {@link StreamTimes}. */
export const STREAM_TIMES = Symbol('StreamTimes');

export const DEFAULT_STREAM_TIMES: StreamTimes = { pollMs: 2_000, pingMs: 15_000, maxMs: 3_600_000 };
