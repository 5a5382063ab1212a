import { DomainError } from '@hone/platform';

/** Without labels and without a scale nothing is known of how far labels vary. */
export class NoScaleError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'label_plan.no_scale';
  constructor(criterion: string, labels: number) {
    super(`'${criterion}' has no scale, so that nothing is known of it before ${labels} calls have labels.`);
  }
}
