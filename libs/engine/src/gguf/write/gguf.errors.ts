import { EngineError } from '../../errors.js';

/** The model cannot be said in GGUF so that llama.cpp would read the same model. */
export class GgufUnsupportedError extends EngineError {
  constructor(reason: string) {
    super('engine.gguf_unsupported', `The model cannot be exported as GGUF: ${reason}.`);
  }
}
