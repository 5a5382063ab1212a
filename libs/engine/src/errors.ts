/**
 * What goes wrong in the engine for a reason that a user can act on.
 *
 * `code` is stable and travels to job records and HTTP answers; `message` names the file, the tensor
 * or the path, and what was expected.
 */
export class EngineError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}
