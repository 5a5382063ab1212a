import { DomainError } from '@hone/platform';

/** The model has no live checkpoint at this step. */
export class CheckpointNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'checkpoint.not_found';
  constructor(step: string) {
    super(`The model has no checkpoint at step '${step.slice(0, 20)}'.`);
  }
}

/** The checkpoint has no file of this name. */
export class CheckpointFileNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'checkpoint.file_not_found';
  constructor() {
    super('The checkpoint has no file of this name.');
  }
}
