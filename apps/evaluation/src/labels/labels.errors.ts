import { DomainError } from '@hone/platform';

/** Without labels and without a scale nothing is known of how far labels vary. */
export class NoScaleError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'label_plan.no_scale';
  constructor(criterion: string, labels: number) {
    super(`'${criterion}' has no scale, so that nothing is known of it before ${labels} calls have labels.`);
  }
}

/** None of the calls is judged, people have labelled all, or as many as the width needs. Nothing was stored. */
export class NothingToDrawError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'label_queue.nothing_to_draw';
}

/** No number of labels that a queue may draw reaches the width. Nothing was stored. */
export class WidthOutOfReachError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'label_queue.width_out_of_reach';
  constructor(width: number, most: number) {
    super(`No queue of at most ${most} of these calls makes the mean known within ± ${width}: name a size.`);
  }
}
