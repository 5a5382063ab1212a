/** How much of a request is kept as a call, least first. `metadata`: neither its content nor its answer's. */
export const LOG_LEVELS = ['off', 'metadata', 'full'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The lesser of the two: a request may only lessen what its project keeps. */
export const lesserLevel = (one: LogLevel, other: LogLevel): LogLevel =>
  LOG_LEVELS.indexOf(one) < LOG_LEVELS.indexOf(other) ? one : other;
