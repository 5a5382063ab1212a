const MAX_MESSAGE = 500;
const MAX_FRAMES = 20;
const MAX_CAUSES = 3;
const FRAME = /^\s+at /;

/** An error as it is logged. */
export interface LoggedError {
  type: string;
  code?: string;
  message: string;
  /** Where it was thrown, without the message. */
  stack: string;
  cause?: LoggedError;
}

/**
 * What is logged of an error: what it is and where it came from. None of its further fields: database drivers put the
 * row that failed into them, and parsers the text that they could not read.
 */
export function toLoggedError(error: unknown, causes = MAX_CAUSES): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const { code } = error as { code?: unknown };
  const frames = (error.stack ?? '').split('\n').filter((line) => FRAME.test(line));
  return {
    type: error.constructor.name,
    ...(typeof code === 'string' && { code }),
    message: error.message.slice(0, MAX_MESSAGE),
    stack: frames.slice(0, MAX_FRAMES).join('\n'),
    ...(error.cause instanceof Error && causes > 0 && { cause: toLoggedError(error.cause, causes - 1) }),
  };
}
