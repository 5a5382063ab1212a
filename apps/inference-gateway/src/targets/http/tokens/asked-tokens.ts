import type { ChatRequest } from '../../target.js';
import type { ParameterRules } from '../request/parameters.js';

/** What an answer has only because the gateway asked for it: the caller's answer has null in its place. */
export interface AskedTokens {
  /** Members that the caller does not see. */
  readonly hidden: ReadonlySet<'logprobs' | 'token_ids' | 'prompt_token_ids'>;
  /** Fields of the request, with their JSON. */
  readonly fields: readonly (readonly [string, string])[];
}

/**
 * What to ask of an upstream beside what the caller asks, so that its answer has all tokens and their log-probabilities.
 * Null: the request does not keep them, or the upstream does not honour the fields.
 */
export function askedTokens({ keepsTokens, fields }: ChatRequest, parameters: ParameterRules): AskedTokens | null {
  if (!keepsTokens || !parameters.honours('return_token_ids') || !parameters.honours('logprobs')) return null;
  const hidden = new Set<'logprobs' | 'token_ids' | 'prompt_token_ids'>();
  const asked: [string, string][] = [];
  if (fields.return_token_ids !== true) {
    hidden.add('token_ids').add('prompt_token_ids');
    asked.push(['return_token_ids', 'true']);
  }
  if (fields.logprobs !== true) {
    hidden.add('logprobs');
    asked.push(['logprobs', 'true']);
    // vLLM takes null for none at all.
    if (fields.top_logprobs === null) asked.push(['top_logprobs', '0']);
  }
  return { hidden, fields: asked };
}
