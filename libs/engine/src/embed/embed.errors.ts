import { EngineError } from '../errors.js';

/** The files of a model have changed since it was opened. The request may be repeated. */
export class ModelChangedError extends EngineError {
  constructor(directory: string) {
    super('engine.base_not_loaded', `The files in ${directory} have changed.`);
  }
}
