import { EngineError } from '../errors.js';

/** The child process of the job died without a result; another attempt may succeed. */
export class TrainingProcessDiedError extends EngineError {
  constructor(how: string) {
    super('engine.process_died', `The training process ended without a result (${how}).`);
  }
}

/** The job needs more memory than the machine or its limit gives. */
export class OutOfMemoryError extends EngineError {
  constructor(how: string) {
    super('engine.out_of_memory', `The training process ran out of memory (${how}). Shorter rows need less.`);
  }
}

/** The error that the child process of a job reported. */
export class TrainingFailedError extends EngineError {}

/** The hash of a file is not the one in the specification. */
export class SpecMismatchError extends EngineError {
  constructor(what: string) {
    super('storage.corrupt', `${what} is not what the job was planned with.`);
  }
}

/** An adapter belongs to a base model with other weights than the installed one. */
export class BaseChangedError extends EngineError {
  constructor(baseModel: string) {
    super(
      'engine.base_changed',
      `The files of the base model ${baseModel} are not those that the checkpoint was trained on.`,
    );
  }
}

/** The job asks for an adapter that cannot hold the parent's: part of what it has learnt would be lost. */
export class LoraMismatchError extends EngineError {
  constructor(parent: string, asked: string) {
    super('config.lora_mismatch', `The checkpoint that the job starts from has ${parent}; the job asks for ${asked}.`);
  }
}

/** The job asks for a rank or an alpha of a module that its adapter does not have. */
export class LoraPatternError extends EngineError {
  constructor(field: string, name: string) {
    super('config.lora_pattern', `The adapter has no module that '${name}' of ${field} names.`);
  }
}
