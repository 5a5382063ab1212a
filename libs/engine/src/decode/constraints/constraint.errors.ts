import { EngineError } from '../../errors.js';

/** A schema or pattern uses something that the engine does not enforce. Nothing is ignored silently. */
export class ConstraintUnsupportedError extends EngineError {
  constructor(
    /** JSON pointer into the schema; empty for the whole of it, or for a pattern. */
    readonly pointer: string,
    what: string,
  ) {
    super('engine.constraint_unsupported', `${pointer === '' ? '' : `${pointer}: `}${what}`);
  }
}

/** A schema or pattern is not valid, or nothing can satisfy it. */
export class ConstraintInvalidError extends EngineError {
  constructor(
    readonly pointer: string,
    what: string,
  ) {
    super('engine.constraint_invalid', `${pointer === '' ? '' : `${pointer}: `}${what}`);
  }
}

/** A schema or pattern is larger than the engine compiles. */
export class ConstraintTooLargeError extends EngineError {
  constructor(what: string) {
    super('engine.constraint_too_large', what);
  }
}

/** A schema or pattern took too long to compile, or to give a logit mask. */
export class ConstraintTimeoutError extends EngineError {
  constructor(limitMs: number) {
    super('engine.constraint_timeout', `The constraint was not ready after ${limitMs} ms.`);
  }
}
