import { LOG_LEVELS, type LogLevel } from '@hone/contracts';

/** The lesser of the two: a request may only lessen what its project keeps. */
export const lesserLevel = (one: LogLevel, other: LogLevel): LogLevel =>
  LOG_LEVELS.indexOf(one) > LOG_LEVELS.indexOf(other) ? one : other;
