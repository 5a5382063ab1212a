import { EngineError } from '../../errors.js';

/** A file is not a valid safetensors file, or was cut short. Readers of models and adapters say whose file it is. */
export class SafetensorsFormatError extends EngineError {
  constructor(
    readonly file: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super('engine.tensor_file_damaged', `${file}: ${reason}.`, options);
  }
}
