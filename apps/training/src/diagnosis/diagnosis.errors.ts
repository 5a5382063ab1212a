import { DomainError } from '@hone/platform';

/** Planning it takes more memory or time than a diagnosis may. A job has more of both. */
export class DiagnosisTooLargeError extends DomainError {
  static override readonly kind = 'too_large';
  static override readonly code = 'limit.diagnosis_too_large';
  constructor() {
    super('This is too large to be diagnosed: send a part of it, or send it as a job.');
  }
}
