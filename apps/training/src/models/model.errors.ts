import { DomainError } from '@hone/platform';

/** Unknown or deleted. */
export class ModelNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'model.not_found';
  constructor(modelId: string) {
    super(`There is no model '${modelId}'.`);
  }
}

/** A live model of the project has this name. */
export class ModelNameTakenError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'model.name_taken';
  constructor(name: string, projectId: string) {
    super(`A model named ${name} exists in ${projectId}.`);
  }
}
