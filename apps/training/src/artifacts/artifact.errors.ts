import { DomainError } from '@hone/platform';

/** No such artifact, version or file; a deleted one counts as unknown. */
export class ArtifactNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'artifact.not_found';
  constructor(name: string) {
    super(`There is no artifact '${name}'.`);
  }
}

/** A training job that has not ended reads it. */
export class ArtifactInUseError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'artifact.in_use';
  constructor(name: string) {
    super(`A training job that has not ended reads '${name}'; cancel it, or wait.`);
  }
}
