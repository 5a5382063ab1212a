import { DomainError } from '@hone/platform';

/** No such artifact, version or file; a deleted one counts as unknown. */
export class ArtifactNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'artifact.not_found';
  constructor(name: string) {
    super(`There is no artifact '${name}'.`);
  }
}

/** A training job that has not ended reads it. */
export class ArtifactInUseError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'artifact.in_use';
  constructor(name: string) {
    super(`A training job that has not ended reads '${name}'; cancel it, or wait.`);
  }
}
