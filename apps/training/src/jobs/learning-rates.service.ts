import { warnOfLearningRate, withLearningRate } from '@hone/engine';
import type { JobKind, JobWarning } from '@hone/training-jobs';
import { Injectable } from '@nestjs/common';

import { BaseModels } from '../base-models/base-models.js';

/** Learning rates by the size of the base. */
@Injectable()
export class LearningRates {
  constructor(private readonly bases: BaseModels) {}

  /** Settings with the recommended learning rate where they name none, and what there is to say of the one they name. */
  async fill<Config extends { readonly learning_rate?: number | number[] | null }>(
    kind: JobKind,
    baseModel: string,
    config: Config | null,
  ): Promise<{ config: Config | { learning_rate: number } | null; warnings: JobWarning[] }> {
    const parameters = await this.bases.parametersOf(baseModel);
    const filled = withLearningRate(kind, parameters, config);
    const rate = filled?.learning_rate ?? null;
    const warnings = parameters === null || rate === null ? [] : warnOfLearningRate(kind, parameters, rate);
    return { config: filled, warnings: warnings.map(({ loc, ...rest }) => ({ ...rest, loc: [...loc] })) };
  }
}
