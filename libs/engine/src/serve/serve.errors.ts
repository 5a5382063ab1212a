import { EngineError } from '../errors.js';
import { directoryOf } from './base-name.js';

/** A request names a base model that was not loaded, or was unloaded. */
export class BaseNotLoadedError extends EngineError {
  constructor(name: string) {
    super('engine.base_not_loaded', `The base model in ${directoryOf(name)} is not loaded.`);
  }
}

/** The serving thread died or hung; it is started again. The request may be repeated. */
export class ServingCrashedError extends EngineError {
  constructor(reason: string, options?: ErrorOptions) {
    super('engine.crashed', `The serving thread ended: ${reason}`, options);
  }
}

/** The engine was closed while the request ran, or before it came. */
export class ServingClosedError extends EngineError {
  constructor() {
    super('engine.closed', 'The serving engine is closed.');
  }
}
