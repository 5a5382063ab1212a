import { CHAT } from '../../shared/endpoint.js';
import type { ChatRequest } from '../../targets/target.js';
import type { TargetState } from '../health/target-state.js';

/** Whether a request has to be sent once for each of its choices. */
export const isSplit = ({ target, givesOneChoice }: TargetState, { choices, endpoint }: ChatRequest): boolean =>
  choices > 1 && endpoint === CHAT && (target.maxChoices === 1 || givesOneChoice);

/** The request for one choice alone. With a seed, each choice has its own: the choices would be equal. */
export function partRequest(request: ChatRequest, choice: number): ChatRequest {
  const { seed } = request.fields;
  const own =
    Number.isSafeInteger(seed) && (seed as number) >= 0 ? { n: 1, seed: (seed as number) + choice } : { n: 1 };
  return {
    ...request,
    fields: { ...request.fields, ...own },
    overrides: { ...request.overrides, ...own },
    choices: 1,
  };
}
