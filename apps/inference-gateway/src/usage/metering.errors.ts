/** Usage cannot be journalled, so nothing may be answered. The fields are those of the answer. */
export class MeteringUnavailableError extends Error {
  readonly status = 503;
  readonly type = 'overloaded_error';
  readonly code = 'metering_unavailable';
  readonly headers = { 'retry-after': '1', 'x-should-retry': 'true' };

  constructor(cause?: unknown) {
    super('Usage cannot be recorded at the moment.', { cause });
  }
}
