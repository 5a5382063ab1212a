import { EngineError } from '../errors.js';

/** An error in a message between threads: a structured clone keeps neither its class nor its fields. */
export interface ErrorMessage {
  /** Null: not an EngineError, but a defect. */
  readonly code: string | null;
  readonly message: string;
  /** The request's field that is wrong, where the error names one. */
  readonly field?: string;
  /** JSON pointer of the keyword of a schema that is to blame, where the error names one. */
  readonly keyword?: string;
}

/** An error from another thread of the engine; `code` is that of the class it had there. */
export class EngineThreadError extends EngineError {
  constructor(
    code: string,
    message: string,
    readonly field?: string,
    readonly keyword?: string,
  ) {
    super(code, message);
  }
}

export function toErrorMessage(error: unknown): ErrorMessage {
  if (!(error instanceof EngineError)) {
    return { code: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  const { code, message } = error;
  const { field, keyword } = error as { field?: unknown; keyword?: unknown };
  return {
    ...{ code, message },
    ...(typeof field === 'string' && { field }),
    ...(typeof keyword === 'string' && { keyword }),
  };
}

export function fromErrorMessage({ code, message, field, keyword }: ErrorMessage): Error {
  return code === null ? new Error(message) : new EngineThreadError(code, message, field, keyword);
}
