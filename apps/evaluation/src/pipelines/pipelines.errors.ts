import { DomainError } from '@hone/platform';

/** Unknown. */
export class PipelineNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'pipeline.not_found';
  constructor(id: string) {
    super(`There is no pipeline '${id}'.`);
  }
}

/** Unknown. */
export class PipelineRunNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'pipeline.run_not_found';
  constructor(id: string) {
    super(`There is no pipeline run '${id}'.`);
  }
}

/** Another pipeline of the project has the name. Nothing was stored. */
export class PipelineNameTakenError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'pipeline.name_taken';
  constructor(name: string) {
    super(`The project has a pipeline '${name}' already.`);
  }
}

/** As many as a project may have. Nothing was stored. */
export class TooManyPipelinesError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'pipeline.too_many';
  constructor(limit: number) {
    super(`This project has ${limit} pipelines, which is the limit; delete one.`);
  }
}

/** A run of the pipeline has not ended yet: two would overlap. */
export class PipelineRunningError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'pipeline.running';
  constructor(id: string) {
    super(`Pipeline '${id}' has a run that has not ended: wait for it, or cancel it.`);
  }
}

/** The run has ended: nothing is left to cancel. */
export class PipelineRunEndedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'pipeline.run_ended';
  constructor(id: string, status: string) {
    super(`Run '${id}' has ended: ${status}.`);
  }
}

/** It could do harm. Nothing was stored or started. */
export class PipelineUnsafeError extends DomainError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'pipeline.unsafe';
  constructor(missing: readonly string[]) {
    super(`The pipeline could do harm: ${missing.join(' ')}`);
  }
}
