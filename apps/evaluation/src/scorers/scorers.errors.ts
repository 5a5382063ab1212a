import { DomainError } from '@hone/platform';

/** Unknown, deleted, or no scorer. */
export class ScorerNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'scorer.not_found';
  constructor(name: string) {
    super(`There is no scorer '${name}' in the project.`);
  }
}

/** It has source code, which its client runs: Hone runs none. */
export class ScorerNotDefinedError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'scorer.not_defined';
  constructor(name: string) {
    super(`Scorer '${name}' has no definition: its source code is run by clients alone.`);
  }
}
