import { LOG_LEVELS, type LogLevel, type RedactionDto } from '@hone/contracts';

/** How much of its requests a project keeps. */
export interface CallLogSetting {
  readonly level: LogLevel;
  /** What is removed first; null: nothing. */
  readonly redact: RedactionDto | null;
}

/** Of a project that has said nothing. */
export const KEEP_ALL: CallLogSetting = { level: 'full', redact: null };

/** Of a project of which nothing is known: it may have asked for any of this. */
export const KEEP_LEAST: CallLogSetting = {
  level: 'metadata',
  redact: { paths: ['metadata.*', 'thread'], patterns: [] },
};

/** The lesser of the two: a request may only lessen what its project keeps. */
export const lesserLevel = (one: LogLevel, other: LogLevel): LogLevel =>
  LOG_LEVELS.indexOf(one) > LOG_LEVELS.indexOf(other) ? one : other;
