import { EngineError } from '../../errors.js';

/** No folder or hub that may be searched has a base model of this id. */
export class BaseModelNotFoundError extends EngineError {
  constructor(id: string, searched: string, options?: ErrorOptions) {
    // A job that names an unknown base fails with the code of a base that the engine cannot load.
    super('engine.base_model_unsupported', `There is no base model ${JSON.stringify(id)}: ${searched}.`, options);
  }
}

/** The id cannot name a base model: it would leave the models folder, or no hub has such ids. */
export class BaseModelIdError extends EngineError {
  constructor(id: string) {
    super(
      'engine.base_model_unsupported',
      `${JSON.stringify(id)} is not a model id: expected a name such as my-model or owner/name.`,
    );
  }
}

/** The model is whole, but of a kind that this engine does not run. */
export class BaseModelUnsupportedError extends EngineError {
  constructor(file: string, reason: string) {
    super('engine.base_model_unsupported', `${file}: ${reason}.`);
  }
}

/** A file of the model is missing, cut short or contradicts another one. */
export class BaseModelDamagedError extends EngineError {
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super('engine.base_model_damaged', `${file}: ${reason}.`, options);
  }
}

/** A tensor of the weights has another shape than the configuration asks for. */
export class TensorShapeError extends EngineError {
  constructor(file: string, tensor: string, expected: readonly number[], found: readonly number[]) {
    super(
      'engine.base_model_damaged',
      `${file}: ${tensor} has the shape [${found.join(', ')}], expected [${expected.join(', ')}].`,
    );
  }
}

/** A tensor that the configuration asks for is in none of the files. */
export class TensorMissingError extends EngineError {
  constructor(file: string, tensor: string, expected: readonly number[]) {
    super('engine.base_model_damaged', `${file}: ${tensor} is missing, expected shape [${expected.join(', ')}].`);
  }
}

/** A tensor is stored in a number format that the engine does not read. */
export class TensorTypeError extends EngineError {
  readonly reason: string;
  constructor(
    readonly file: string,
    tensor: string,
    found: string,
  ) {
    const reason = `${tensor} is stored as ${found}, expected F32, F16 or BF16`;
    super('engine.base_model_unsupported', `${file}: ${reason}.`);
    this.reason = reason;
  }
}

/** The model has more parameters than this engine is allowed to load. */
export class BaseModelTooLargeError extends EngineError {
  constructor(file: string, parameters: number, maxParams: number) {
    super('engine.base_model_too_large', `${file}: the model has ${parameters} parameters, allowed are ${maxParams}.`);
  }
}
