import { EngineError } from '../errors.js';

/** The hash of a checkpoint does not match: it is neither trained from nor served. */
export class CheckpointCorruptError extends EngineError {
  constructor(
    readonly file: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super('storage.corrupt', `${file}: ${reason}.`, options);
  }
}

/** An adapter of another program is malformed. */
abstract class AdapterError extends EngineError {
  constructor(
    code: string,
    /** Path of the file. */
    readonly file: string,
    /** The message without the file. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(code, `${file}: ${reason}.`, options);
  }
}

/** An adapter is of a kind that the engine cannot compute. */
export class AdapterUnsupportedError extends AdapterError {
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super('engine.adapter_unsupported', file, reason, options);
  }
}

/** An adapter lacks a file or a tensor, or does not fit the base model. */
export class AdapterDamagedError extends AdapterError {
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super('engine.adapter_damaged', file, reason, options);
  }
}
