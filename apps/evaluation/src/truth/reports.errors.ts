import { DomainError } from '@hone/platform';

/** More than one request reads. */
export class TooManyLabelsError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'report.too_many_labels';
  constructor(limit: number) {
    super(`More than ${limit} of the calls have labels: narrow them down by filter or query.`);
  }
}
