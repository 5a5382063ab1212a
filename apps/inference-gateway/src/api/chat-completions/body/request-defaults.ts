import type { ChatCompletionRequestDto } from '@hone/contracts';

/** `openai`: absence means what clients of OpenAI expect. `listed`: the values that the interface lists. */
export type DefaultsProfile = 'openai' | 'listed';

/** Listed values that differ from what ordinary clients expect, see inference.md, 1.3. */
const LISTED = {
  seed: 0,
  truncate_prompt_tokens: 4_611_686_018_427_388_000,
  return_tokens_as_token_ids: true,
  return_token_ids: true,
  tool_choice: 'none',
} as const satisfies Partial<ChatCompletionRequestDto>;

/** Nothing is filled in. */
export const NO_DEFAULTS: Partial<ChatCompletionRequestDto> = {};

/**
 * Fills in what absence means. Only fields whose meaning depends on more than themselves are filled in: all others
 * have their default where they are used.
 *
 * @param isTrained the model is the reference of a trained one: a rollout needs ids beside its log-probabilities
 */
export function withDefaults(
  request: ChatCompletionRequestDto,
  profile: DefaultsProfile,
  isTrained: boolean,
): Partial<ChatCompletionRequestDto> {
  const needsIds = isTrained && request.logprobs === true;
  if (profile === 'openai' && !needsIds) return NO_DEFAULTS;
  const { tool_choice: listedChoice, ...listed } = LISTED;
  const wanted: Partial<ChatCompletionRequestDto> =
    profile === 'listed'
      ? // Without tools there is nothing to choose, and some upstreams refuse the field then.
        { ...listed, ...(request.tools && { tool_choice: listedChoice }) }
      : { return_token_ids: true };
  return Object.fromEntries(
    Object.entries(wanted).filter(([name]) => (request[name as keyof ChatCompletionRequestDto] ?? null) === null),
  );
}
