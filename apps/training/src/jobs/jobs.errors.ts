import { DomainError } from '@hone/platform';

/** Unknown, or deleted with its model after the retention time of jobs. */
export class JobNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'job.not_found';
  constructor(jobId: string) {
    super(`There is no training job '${jobId}'.`);
  }
}

/** It has succeeded or failed: there is nothing to cancel. */
export class JobAlreadyFinishedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'job.already_finished';
  constructor(jobId: string, status: string) {
    super(`Training job '${jobId}' has ${status}; it cannot be cancelled.`);
  }
}

/** As many open jobs as there may be. Nothing was stored. Retry after the seconds that `Retry-After` says. */
export class QueueFullError extends DomainError {
  static override readonly kind = 'rate_limited';
  static override readonly code = 'quota.queue_full';
  override readonly headers = { 'retry-after': '30' };
  constructor(of: 'model' | 'project', limit: number) {
    super(`This ${of} has ${limit} open training jobs, which is the limit; wait for one to end, or cancel one.`);
  }
}

/** The model has no live checkpoint at the step that the job is to start from. Nothing was stored. */
export class ParentStepNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'checkpoint.not_found';
  constructor(step: number) {
    super(`The model has no checkpoint at step ${step}, which parent_step names.`);
  }
}

/** The model's steps were made by an engine that is not configured any more. Nothing was stored. */
export class ParentElsewhereError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'engine.parent_elsewhere';
  constructor(engine: string) {
    super(
      `The model's steps were made by the engine '${engine}', which is not configured any more: only there its training can go on.`,
    );
  }
}

/** The lines of a `data:` URL are more than one may have. */
export class DataUrlTooLargeError extends DomainError {
  static override readonly kind = 'too_large';
  static override readonly code = 'data.too_large';
  constructor(limitBytes: number) {
    super(`The data: URL holds more than ${limitBytes} bytes; upload the lines as an artifact.`);
  }
}

/** The installation does not say where the job would sample and grade. Nothing was stored. */
export class RolloutsNotConfiguredError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'rollouts.not_configured';
  constructor() {
    super(
      'This installation cannot sample rollouts by itself: HONE_GATEWAY_URL and HONE_EVALUATION_URL have to be set for training and trainer.',
    );
  }
}

/** Unknown, deleted, or no scorer that Hone runs. Nothing was stored. */
export class ScorerNotUsableError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'scorer.not_found';
  constructor(sentence: string) {
    super(sentence);
  }
}

/** The evaluation service, which knows the scorers, does not answer. Nothing was stored; retry. */
export class EvaluationUnavailableError extends DomainError {
  static override readonly kind = 'unavailable';
  static override readonly code = 'evaluation.unavailable';
  constructor(cause: unknown) {
    super('The evaluation service does not answer, and no scorer can be looked up.', { cause });
  }
}
