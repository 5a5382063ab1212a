import { EngineError } from '../errors.js';

/** There is a model of this id already. */
export class ModelExistsError extends EngineError {
  constructor(id: string, folder: string) {
    super('engine.model_exists', `${id} is there already, in ${folder}: remove it first, or give another --name.`);
  }
}

/** The model's chat template, or the one that was asked for, is of no use. */
export class ChatTemplateRefusedError extends EngineError {
  constructor(reason: string, options?: ErrorOptions) {
    super('engine.chat_template_refused', `The model was not added: ${reason}.`, options);
  }
}

/** A model that writes text was to pool. */
export class PoolingRefusedError extends EngineError {
  constructor() {
    super('engine.pooling_refused', 'The model was not added: --pooling is for models that embed texts.');
  }
}

/** There is no model of this id, or no file or folder of this name. */
export class ModelNotThereError extends EngineError {
  constructor(id: string, modelsDir: string) {
    super(
      'engine.model_not_there',
      `There is no model ${JSON.stringify(id)} in ${modelsDir}, nor a file of this name.`,
    );
  }
}

/** Routes of the gateway name the model: without it they would have no target. */
export class ModelInUseError extends EngineError {
  constructor(id: string, routes: readonly string[], file: string) {
    const named = routes.map((route) => `'${route}'`).join(', ');
    super('engine.model_in_use', `${id} is named by the routes ${named} in ${file}: take it out of them first.`);
  }
}
