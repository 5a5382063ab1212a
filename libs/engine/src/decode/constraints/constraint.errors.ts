import { EngineError } from '../../errors.js';

/** What is wrong with a schema or a pattern itself. */
abstract class ConstraintError extends EngineError {
  /**
   * JSON pointer of the keyword that is to blame: without it the schema says less, and may be enforced. Absent: there is
   * no single one.
   */
  keyword?: string;

  /** Says that what is wrong with a pattern is wrong with this keyword. */
  at(keyword: string): this {
    this.keyword ??= keyword;
    return this;
  }
}

/** A schema or pattern uses something that the engine does not enforce. Nothing is ignored silently. */
export class ConstraintUnsupportedError extends ConstraintError {
  constructor(
    /** JSON pointer into the schema; empty for the whole of it, or for a pattern. */
    readonly pointer: string,
    what: string,
  ) {
    super('engine.constraint_unsupported', `${pointer === '' ? '' : `${pointer}: `}${what}`);
  }
}

/** A schema or pattern is not valid, or nothing can satisfy it. */
export class ConstraintInvalidError extends ConstraintError {
  constructor(
    readonly pointer: string,
    what: string,
  ) {
    super('engine.constraint_invalid', `${pointer === '' ? '' : `${pointer}: `}${what}`);
  }
}

/** A schema or pattern is larger than the engine compiles. */
export class ConstraintTooLargeError extends ConstraintError {
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

/** Runs the translation of a pattern, which knows nothing of the schema's keyword that has it. */
export function ofKeyword<T>(keyword: string, translate: () => T): T {
  try {
    return translate();
  } catch (error) {
    throw error instanceof ConstraintError ? error.at(keyword) : error;
  }
}
