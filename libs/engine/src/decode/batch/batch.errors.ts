import { EngineError } from '../../errors.js';

/** The prompt leaves no room for an answer. */
export class ContextLengthError extends EngineError {
  constructor(promptTokens: number, contextLength: number) {
    super(
      'context_length_exceeded',
      `The prompt has ${promptTokens} tokens; with at least one for the answer the model holds ${contextLength}.`,
    );
  }
}

/** A prompt needs at least one token. */
export class EmptyPromptError extends EngineError {
  constructor() {
    super('engine.prompt_empty', 'The prompt has no tokens.');
  }
}

/** A token id that the model does not have. */
export class UnknownTokenError extends EngineError {
  constructor(
    /** Name of the request's field. */
    readonly field: string,
    id: number,
    vocabSize: number,
  ) {
    super('engine.token_unknown', `${field}: ${id} is not a token id, expected 0 to ${vocabSize - 1}.`);
  }
}

/** Constraint, allowed tokens and bad words together leave no token to go on with. */
export class ConstraintDeadEndError extends EngineError {
  constructor() {
    super('constraint_dead_end', 'No token satisfies all constraints of the request.');
  }
}

/** The decoder itself failed, for example for lack of memory. */
export class DecodeFailedError extends EngineError {
  constructor(cause: unknown) {
    super('engine.decode_failed', `Decoding failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
