import { DomainError } from '@hone/platform';

import type { NamingSplit } from './alias-split.record.js';

/** The alias has no split. */
export class SplitNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'split.not_found';
  constructor(alias: string) {
    super(`The alias '${alias}' has no split.`);
  }
}

/** An arm or the shadow names a model that is not there, or that the author or the key may not use: one message for all. */
export class SplitModelNotFoundError extends DomainError {
  static override readonly kind = 'not_found';
  static override readonly code = 'split.model_not_found';
  constructor(model: string) {
    super(`There is no model '${model.slice(0, 200)}' that this project's requests could be answered with.`);
  }
}

/** The split is not at `if_version`: somebody else has changed it. The header `Hone-Version` has the current version. */
export class SplitChangedError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'split.changed';
  override readonly headers: Record<string, string>;
  /** @param version null: there is no split */
  constructor(alias: string, version: number | null) {
    super(
      version === null ? `The alias '${alias}' has no split.` : `The split of '${alias}' is at version ${version}.`,
    );
    this.headers = version === null ? {} : { 'hone-version': String(version) };
  }
}

/** A split names the checkpoint: its arm would lose its answers. Change or end the split first. */
export class CheckpointInSplitError extends DomainError {
  static override readonly kind = 'conflict';
  static override readonly code = 'checkpoint.in_split';
  constructor({ alias, model, step }: NamingSplit) {
    super(`The split of the alias '${alias}' of the model '${model}' names the checkpoint at step ${step}.`);
  }
}
