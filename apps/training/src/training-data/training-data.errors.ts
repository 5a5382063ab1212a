import { MAX_SOURCE_CALLS, MAX_TRAJECTORIES } from '@hone/contracts';
import { DomainError } from '@hone/platform';

/** The body selects more calls than may be read for one answer. Nothing was stored. */
export class TooManyCallsError extends DomainError {
  static override readonly kind = 'too_large';
  static override readonly code = 'limit.too_many_calls';
  constructor() {
    super(`The query selects more than ${MAX_SOURCE_CALLS} calls; narrow it, or set source.limit.`);
  }
}

/** A split has more trajectories than a job takes. Nothing was stored. */
export class TooManyTrajectoriesError extends DomainError {
  static override readonly kind = 'too_large';
  static override readonly code = 'data.too_large';
  constructor(split: string) {
    super(`The split '${split}' has more than ${MAX_TRAJECTORIES} trajectories, which is more than a job takes.`);
  }
}

/** As much data is being made as may be at once. Retry. */
export class DataBusyError extends DomainError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'server.busy';
  override readonly headers = { 'retry-after': '5' };
  constructor() {
    super('Too much training data is being made; try again in 5 s.');
  }
}
