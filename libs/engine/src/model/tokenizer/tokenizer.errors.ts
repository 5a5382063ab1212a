import { EngineError } from '../../errors.js';

/** The tokenizer is whole, but of a kind that the engine cannot turn back into exact bytes. */
export class TokenizerUnsupportedError extends EngineError {
  constructor(file: string, reason: string) {
    super('engine.base_model_unsupported', `${file}: ${reason}.`);
  }
}

/** A pattern of the tokenizer takes a time with a text that grows faster than the text. */
export class TokenizerSlowError extends EngineError {
  constructor(file: string, characters: number, limitMs: number) {
    const what = `its patterns take over ${limitMs} ms to cut a text of ${characters} characters`;
    super('engine.base_model_unsupported', `${file}: ${what}.`);
  }
}
