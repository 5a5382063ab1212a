import { allowsModel, type Principal } from '@hone/auth';
import { parseTrainedModelRef, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { ModelRecord } from '../models/model.record.js';
import { ModelAccess } from '../models/model-access.js';
import { SplitModelNotFoundError } from './alias-split.errors.js';
import type { SplitTarget } from './alias-split.record.js';
import { CheckpointRepository } from './checkpoint.repository.js';
import { CheckpointAliasRepository } from './checkpoint-alias.repository.js';

const MAX_STEP = 2_147_483_647;
/** A ref of a trained model, well-formed or not. */
const REF_LIKE = /^[a-z][a-z0-9+.-]*-artifact:/i;

/** Where a model is named in the body. */
type Loc = readonly (string | number)[];

/** A model that a split names. */
export interface NamedTarget {
  readonly model: string;
  readonly loc: Loc;
}

/** Finds what the arms and the shadow of a split name. */
@Injectable()
export class SplitTargets {
  constructor(
    private readonly models: ModelAccess,
    private readonly checkpoints: CheckpointRepository,
    private readonly aliases: CheckpointAliasRepository,
  ) {}

  /**
   * The trained models that they name, which the caller locks before {@link resolve}.
   *
   * @param own the model that has the alias
   * @throws SplitModelNotFoundError
   */
  async modelsOf(author: Principal, own: ModelRecord, targets: readonly NamedTarget[]): Promise<ModelRecord[]> {
    const found = new Map([[own.name, own]]);
    for (const { model } of targets) {
      if (!allowsModel(author.attributes, model)) throw new SplitModelNotFoundError(model);
      const ref = parseTrainedModelRef(model);
      if (ref === undefined && REF_LIKE.test(model)) throw new SplitModelNotFoundError(model);
      if (ref === undefined || found.has(ref.name)) continue;
      const record = isOf(own, ref) ? await this.models.findBeside(own, ref.name) : null;
      if (record === null) throw new SplitModelNotFoundError(model);
      found.set(ref.name, record);
    }
    return [...found.values()];
  }

  /**
   * What a name means, while its model is locked. Names of routes are known to the gateways alone.
   *
   * @param models of {@link modelsOf}
   * @throws SplitModelNotFoundError
   * @throws ValidationError it is the alias itself
   */
  async resolve(
    own: ModelRecord,
    alias: string,
    models: readonly ModelRecord[],
    { model, loc }: NamedTarget,
  ): Promise<SplitTarget> {
    const ref = parseTrainedModelRef(model);
    if (ref === undefined) return { model, modelId: null, step: null };
    const record = models.find(({ name }) => name === ref.name);
    if (record === undefined || !isOf(own, ref)) throw new SplitModelNotFoundError(model);
    const { step } = ref;
    if (record.id === own.id && step === alias) {
      throw new ValidationError([valueIssue('A split should not name the alias that it splits', ['body', ...loc])]);
    }
    if (!(await this.isThere(record, step))) throw new SplitModelNotFoundError(model);
    return typeof step === 'number' ? { model, modelId: record.id, step } : { model, modelId: null, step: null };
  }

  private async isThere(model: ModelRecord, step: number | string): Promise<boolean> {
    if (step === 'latest' || step === 0) return true;
    if (typeof step === 'string') return (await this.aliases.find(model, step)) !== null;
    return step <= MAX_STEP && (await this.checkpoints.find(model, step)) !== null;
  }
}

const isOf = (own: ModelRecord, { entity, project }: { entity: string; project: string }): boolean =>
  entity === own.entity && project === own.project;
