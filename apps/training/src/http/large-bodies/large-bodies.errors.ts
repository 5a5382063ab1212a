import { DomainError } from '@hone/platform';

/** As many large bodies are being read as may be at once. Retry. */
export class BodiesBusyError extends DomainError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'server.busy';
  override readonly headers = { 'retry-after': '5' };
  constructor() {
    super('Too many large bodies are being read; try again in 5 s.');
  }
}
