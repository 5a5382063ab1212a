import { EngineError } from '../errors.js';

/** The process of the job ended by itself without a result; another attempt may succeed. */
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

/** What the process of a job reported as the reason of its failure. */
export class TrainingFailedError extends EngineError {}

/** A file that the specification names has another content than it says. */
export class SpecMismatchError extends EngineError {
  constructor(what: string) {
    super('storage.corrupt', `${what} is not what the job was planned with.`);
  }
}
