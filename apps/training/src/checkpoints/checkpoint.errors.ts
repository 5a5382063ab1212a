import { DomainError } from '@hone/platform';

/** The model has no live checkpoint at this step. */
export class CheckpointNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'checkpoint.not_found';
  constructor(step: string) {
    super(`The model has no checkpoint at step '${step.slice(0, 20)}'.`);
  }
}

/** The checkpoint has no file of this name. */
export class CheckpointFileNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'checkpoint.file_not_found';
  constructor() {
    super('The checkpoint has no file of this name.');
  }
}

/** The checkpoint has an alias: what asks for that would lose its answers. Move or delete the alias first. */
export class CheckpointAliasedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'checkpoint.aliased';
  constructor({ alias, step }: { alias: string; step: number }) {
    super(`The alias '${alias}' names the checkpoint at step ${step}.`);
  }
}

/** The model has no such alias. */
export class CheckpointAliasNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'checkpoint.alias_not_found';
  constructor(alias: string) {
    super(`The model has no alias '${alias}'.`);
  }
}

/** The alias names another step than `if_step`: somebody else has moved it. The header `Hone-Step` has the current one. */
export class CheckpointAliasMovedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'checkpoint.alias_moved';
  override readonly headers: Record<string, string>;
  /** @param step null: there is no such alias */
  constructor(alias: string, step: number | null) {
    super(step === null ? `There is no alias '${alias}'.` : `The alias '${alias}' is at step ${step}.`);
    this.headers = step === null ? {} : { 'hone-step': String(step) };
  }
}

/** The model has as many aliases as it may have. */
export class TooManyAliasesError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'checkpoint.too_many_aliases';
  constructor(max: number) {
    super(`A model has at most ${max} aliases.`);
  }
}
