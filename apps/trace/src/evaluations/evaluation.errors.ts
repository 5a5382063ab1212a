import { DomainError } from '@hone/platform';

/** The object has no live evaluation version, or none that a selector names. */
export class EvaluationNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'evaluation.not_found';

  private constructor(message: string) {
    super(message);
  }

  static noVersions(objectId: string, projectId: string): EvaluationNotFoundError {
    return new EvaluationNotFoundError(`'${objectId}' in '${projectId}' has no evaluation versions.`);
  }

  static noVersion(objectId: string, projectId: string, selector: string): EvaluationNotFoundError {
    return new EvaluationNotFoundError(`'${objectId}' in '${projectId}' has no evaluation version '${selector}'.`);
  }
}
