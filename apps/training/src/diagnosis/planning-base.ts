import {
  countParameters,
  openBaseModel,
  openRemoteModel,
  type PlanningTokenizer,
  planningTokenizerOf,
} from '@hone/engine';

import type { BaseFolder } from '../base-models/base-models.js';

/** What planning needs of a base model. */
export interface PlanningBase {
  readonly tokenizer: PlanningTokenizer;
  readonly contextLength: number;
  /** Of the base model. */
  readonly parameters: number;
}

/** @throws EngineError the model is damaged, too large, or of a kind that is not supported */
export async function openPlanningBase({ directory, maxParams, maxContext }: BaseFolder): Promise<PlanningBase> {
  const base = await (maxParams === null ? openRemoteModel(directory) : openBaseModel(directory, { maxParams }));
  return {
    tokenizer: planningTokenizerOf(base),
    contextLength: Math.min(maxContext ?? Infinity, base.config.maxPositions),
    parameters: countParameters(base.config),
  };
}
