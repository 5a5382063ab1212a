import { EngineError } from '@hone/engine';

const MAX_REASON = 500;
const shown = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_REASON)
    .toWellFormed();

/** The server does not answer, or answers that it cannot at the moment. The job waits in the queue. */
export class EngineUnreachableError extends EngineError {
  constructor(engine: string, reason: string) {
    super('engine.unreachable', `The engine ${engine} does not answer: ${shown(reason)}.`);
  }
}

/** The server has no capacity for another model. The job waits in the queue. */
export class EngineCapacityError extends EngineError {
  constructor(engine: string, reason: string) {
    super('engine.capacity', `The engine ${engine} has no room for another model: ${shown(reason)}`);
  }
}

/** The server does not know the model, session or request any more: it was restarted, or the model was unloaded. */
export class EngineLostError extends EngineError {
  constructor(engine: string, reason: string) {
    super('engine.lost', `The engine ${engine} lost the model of the job: ${shown(reason)}`);
  }
}

/** The server refuses, or its answer is unusable; a retry would end likewise. */
export class EngineFailedError extends EngineError {
  constructor(engine: string, reason: string) {
    super('engine.failed', `The engine ${engine} failed: ${shown(reason)}`);
  }
}

/** The checkpoint that the job starts from was made by another engine, which alone has its state. */
export class ParentElsewhereError extends EngineError {
  constructor(engine: string, parent: string) {
    super(
      'engine.parent_elsewhere',
      `The checkpoint that the job starts from was made by the engine ${parent}, not by ${engine}.`,
    );
  }
}
