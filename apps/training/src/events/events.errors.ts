import { DomainError } from '@hone/platform';

/** As many requests follow jobs as may at once. Retry after the seconds that `Retry-After` says. */
export class TooManyStreamsError extends DomainError {
  static override readonly kind = 'rate_limited';
  static override readonly code = 'limit.event_streams';
  override readonly headers = { 'retry-after': '5' };
  constructor(of: 'key' | 'server', limit: number) {
    super(`This ${of} follows ${limit} training jobs at once, which is the limit.`);
  }
}
