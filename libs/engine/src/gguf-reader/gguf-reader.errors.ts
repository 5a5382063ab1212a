import { EngineError } from '../errors.js';

/** The file is no whole GGUF file: it was cut short, or its parts contradict each other or the file's size. */
export class GgufDamagedError extends EngineError {
  /** @param place byte offset, key or tensor */
  constructor(file: string, place: string, reason: string, options?: ErrorOptions) {
    super('engine.base_model_damaged', `${file}: ${place}: ${reason}.`, options);
  }
}

/** The file is whole as far as it was read, but of a version or with a type of tensor that the engine does not read. */
export class GgufUnreadableError extends EngineError {
  constructor(file: string, place: string, reason: string) {
    super('engine.base_model_unsupported', `${file}: ${place}: ${reason}.`);
  }
}

/** Prepares a name out of a file for a message: bounded, and without control characters. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}
