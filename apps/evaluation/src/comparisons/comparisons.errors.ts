import { DomainError } from '@hone/platform';

/** Unknown, deleted, or of another project. */
export class ComparedRunNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'comparison.run_not_found';
  constructor(run: string) {
    super(`There is no evaluation run '${run}' in the project.`);
  }
}

/** More than one request reads or computes. */
export class ComparisonTooLargeError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'comparison.too_large';

  static ofPredictions(limit: number): ComparisonTooLargeError {
    return new ComparisonTooLargeError(`The runs have more than ${limit} predictions together: compare fewer runs.`);
  }

  static ofCalls(limit: number): ComparisonTooLargeError {
    return new ComparisonTooLargeError(`The sets have more than ${limit} calls together: give them smaller limits.`);
  }

  static ofBytes(limit: number): ComparisonTooLargeError {
    return new ComparisonTooLargeError(
      `Scores, usage, rows or labels of the runs are more than ${limit} bytes: compare fewer runs.`,
    );
  }

  static ofMetrics(limit: number): ComparisonTooLargeError {
    return new ComparisonTooLargeError(`The runs have more than ${limit} metrics: say by 'metrics' which are meant.`);
  }

  /** @param what for example `pairs` */
  static ofWork(what: string, found: number, limit: number): ComparisonTooLargeError {
    const all = `over all metrics, slices and candidates these are ${found} ${what}; ${limit} is the limit`;
    return new ComparisonTooLargeError(`Too much at once (${all}): name fewer metrics, slices or runs.`);
  }

  static ofTime(limitMs: number): ComparisonTooLargeError {
    const remedy = 'name fewer metrics, slices or runs';
    return new ComparisonTooLargeError(`The comparison takes longer than ${limitMs / 1_000} s: ${remedy}.`);
  }
}

/** All threads that compare are taken. */
export class ComparisonsBusyError extends DomainError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'server.busy';
  override readonly headers = { 'retry-after': '10' };
  constructor() {
    super('Other comparisons are being computed; try again.');
  }
}
