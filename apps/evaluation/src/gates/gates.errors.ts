import { DomainError } from '@hone/platform';

/** Unknown. */
export class GateNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'gate.not_found';
  constructor(id: string) {
    super(`There is no gate '${id}'.`);
  }
}

/** It has ended: nothing about it changes any more. */
export class GateEndedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'gate.ended';
  constructor(id: string, status: string) {
    super(`Gate '${id}' has ended: it is ${status}.`);
  }
}

/** As many as a project may have open. Nothing was stored. */
export class TooManyGatesError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'gate.too_many';
  constructor(limit: number) {
    super(`This project has ${limit} open gates, which is the limit; wait for one, or cancel one.`);
  }
}

/** The runs have nothing of what is to decide: nothing can come of it. */
export class GateMetricMissingError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'gate.metric_missing';
  constructor(metric: string, known: readonly string[]) {
    super(`The runs do not both have '${metric}'; there are ${known.join(', ') || 'no scores'}.`);
  }
}
