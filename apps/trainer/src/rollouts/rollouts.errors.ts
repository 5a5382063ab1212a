import { EngineError } from '@hone/engine';

/** A job could not sample or grade its own rollouts. */
export abstract class RolloutError extends EngineError {
  constructor(
    code: string,
    message: string,
    /** What to do about it. */
    readonly hint: string | null,
    options?: ErrorOptions,
  ) {
    super(code, message, options);
  }
}

/** This trainer does not know where models and scorers are asked. */
export class RolloutsNotConfiguredError extends RolloutError {
  constructor() {
    super(
      'rollouts.not_configured',
      'The trainer does not know where the gateway and the evaluation service are.',
      'Set HONE_GATEWAY_URL and HONE_EVALUATION_URL of the trainer.',
    );
  }
}

/** The key in whose name the job samples was revoked, or has expired. */
export class RolloutKeyEndedError extends RolloutError {
  constructor(cause: unknown) {
    super(
      'rollouts.key_ended',
      'The key that made the job has ended, so the job may neither sample nor grade any more.',
      'Send the job again with another key; parent_step goes on from the rounds that are done.',
      { cause },
    );
  }
}

/** The gateway or the evaluation service refuses what the job asks, and would again. */
export class RolloutsRefusedError extends RolloutError {
  constructor(of: 'Sampling' | 'Grading', code: string, message: string, cause: unknown) {
    super('rollouts.refused', `${of} was refused (${code}): ${message}`, null, { cause });
  }
}

/** The gateway or the evaluation service did not answer, try after try. Another attempt may succeed. */
export class RolloutsUnavailableError extends RolloutError {
  constructor(of: 'Sampling' | 'Grading', code: string, message: string, cause: unknown) {
    super('rollouts.unavailable', `${of} had no answer (${code}): ${message}`, null, { cause });
  }
}

/** No prompt of a round got an answer. */
export class NothingSampledError extends RolloutError {
  constructor(codes: readonly string[]) {
    super(
      'rollouts.nothing_sampled',
      `The gateway refused every prompt of a round: ${codes.join(', ')}.`,
      'Look at the prompts, and at sampling.max_tokens.',
    );
  }
}

/** No answer of a round got a reward. */
export class NothingGradedError extends RolloutError {
  constructor(codes: readonly string[]) {
    super(
      'rollouts.nothing_graded',
      `No answer of a round got a reward: ${codes.join(', ')}.`,
      'Try the scorers on such answers with POST /evaluation/scorers/grade.',
    );
  }
}
