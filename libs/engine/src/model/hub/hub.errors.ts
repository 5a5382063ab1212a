import { EngineError } from '../../errors.js';

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
  /** Of its answer; null: there was none, or its content is what fails. */
  readonly status: number | null;
  /** Whether it sent something else than it announced, or something that is not taken: the same would come again. */
  readonly isWrong: boolean;

  constructor(
    hub: string,
    reason: string,
    { status, isWrong = false, ...options }: ErrorOptions & { status?: number; isWrong?: boolean } = {},
  ) {
    super('engine.hub_unavailable', `${hub}: ${reason}.`, options);
    this.status = status ?? null;
    this.isWrong = isWrong;
  }
}
