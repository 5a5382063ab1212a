import { EngineError } from '../errors.js';

/** The tokenizer is whole, but of a kind that the engine cannot turn back into exact bytes. */
export class TokenizerUnsupportedError extends EngineError {
  constructor(file: string, reason: string) {
    super('engine.base_model_unsupported', `${file}: ${reason}.`);
  }
}
