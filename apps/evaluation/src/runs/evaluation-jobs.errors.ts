import { DomainError } from '@hone/platform';

/** Unknown, deleted, or no evaluation. */
export class EvaluationNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'evaluation.not_found';
  constructor(name: string) {
    super(`There is no evaluation '${name}' in the project.`);
  }
}

/** Unknown, deleted, of another project, or no dataset. */
export class DatasetNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'dataset.not_found';
  constructor(name: string) {
    super(`There is no dataset '${name}' in the project.`);
  }
}

/** Unknown, deleted, or no prompt. */
export class PromptNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'prompt.not_found';
  constructor(name: string) {
    super(`There is no prompt '${name}' in the project.`);
  }
}

/** What is to be stored has the name of something else. */
export class NameTakenError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'object.type_collision';
  constructor(objectId: string, existing: string | null, wanted: string) {
    super(`'${objectId}' has versions of class ${existing ?? 'none'}; this one would be of class ${wanted}.`);
  }
}

/** Unknown. */
export class EvaluationJobNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'evaluation_job.not_found';
  constructor(id: string) {
    super(`There is no evaluation '${id}' on the server.`);
  }
}

/** It is over: there is nothing to cancel. */
export class EvaluationJobFinishedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'evaluation_job.already_finished';
  constructor(id: string, status: string) {
    super(`Evaluation '${id}' is over (${status}); it cannot be cancelled.`);
  }
}

/** It ended early, and gave up what waited: what failed alone would not complete it. */
export class EvaluationJobIncompleteError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'evaluation_job.incomplete';
  constructor(id: string, status: string) {
    super(`Evaluation '${id}' ended before it was complete (${status}); run it again.`);
  }
}

/** As many as may be open in a project. Nothing was stored. */
export class EvaluationQueueFullError extends DomainError {
  static override readonly kind = 'rate_limited';
  static override readonly code = 'quota.evaluation_jobs_full';
  override readonly headers = { 'retry-after': '30' };
  constructor(limit: number) {
    super(`This project has ${limit} open evaluations, which is the limit; wait for one to end, or cancel one.`);
  }
}
