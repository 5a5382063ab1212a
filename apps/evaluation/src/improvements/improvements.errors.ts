import { DomainError } from '@hone/platform';

/** Unknown. */
export class ImprovementNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'improvement.not_found';
  constructor(id: string) {
    super(`There is no improvement '${id}'.`);
  }
}

/** It has ended: nothing is left to cancel. */
export class ImprovementEndedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'improvement.ended';
  constructor(id: string, status: string) {
    super(`Improvement '${id}' has ended: ${status}.`);
  }
}

/** As many as a project may have at a time. Nothing was started. */
export class TooManyImprovementsError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'improvement.too_many';
  constructor(limit: number) {
    super(
      `This project has ${limit} improvements that have not ended, which is the limit; wait for one, or cancel it.`,
    );
  }
}

/** It could do harm. Nothing was started. */
export class ImprovementUnsafeError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'improvement.unsafe';
  constructor(missing: readonly string[]) {
    super(`To promote by this could do harm: ${missing.join(' ')}`);
  }
}

/** The training service refuses what was asked of it. Nothing was started. */
export class ImprovementImpossibleError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'improvement.impossible';
  constructor(reason: string) {
    super(reason);
  }
}

/** The training service does not answer. Nothing was started. */
export class TrainingUnavailableError extends DomainError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'improvement.training_unavailable';
  constructor() {
    super('The training service does not answer, so that nobody knows what could be learnt. Try again.');
  }
}
