import { EngineError } from '../errors.js';

/** The hub has no such file, or does not show it: the model does not exist, is private or needs a consent. */
export class HubFileMissingError extends EngineError {
  constructor(
    id: string,
    readonly file: string,
    readonly status: number,
  ) {
    super('engine.base_model_unsupported', `The hub has no file ${file} of ${id} for us (status ${status}).`);
  }
}

/** The hub cannot be used now. */
export class HubUnavailableError extends EngineError {
  constructor(hub: string, reason: string, options?: ErrorOptions) {
    super('engine.hub_unavailable', `${hub}: ${reason}.`, options);
  }
}
