/** Made of the OpenAPI document by generate-endpoints.mjs. */
import type { ScorerKindListDto } from '@hone/contracts';

import type { RequestOptions } from '../transport/request-options.js';

export interface EvaluationEndpoints {
  /** List the kinds of scorers, with what each asks for: `GET /evaluation/scorer-kinds`. */
  listScorerKinds(options?: RequestOptions): Promise<ScorerKindListDto>;
}

/** What sends each: method, flags (see `toMethod`) and path. */
export const EVALUATION = {
  listScorerKinds: 'GET jr /evaluation/scorer-kinds',
} as const;
