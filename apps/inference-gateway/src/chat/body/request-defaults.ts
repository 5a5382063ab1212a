import type { ChatCompletionRequestDto } from '@hone/contracts';

/** `openai`: an absent field means what clients of OpenAI expect. `listed`: the default that the interface lists. */
export type DefaultsProfile = 'openai' | 'listed';

/** Listed defaults that differ from those of OpenAI. */
const LISTED = {
  seed: 0,
  truncate_prompt_tokens: 4_611_686_018_427_388_000,
  return_tokens_as_token_ids: true,
  return_token_ids: true,
  tool_choice: 'none',
} as const satisfies Partial<ChatCompletionRequestDto>;

/** No field is filled in. */
export const NO_DEFAULTS: Partial<ChatCompletionRequestDto> = {};

/**
 * Fills in defaults of absent fields. Only fields whose default depends on the profile or the model are filled in: all
 * others have their default where they are used.
 *
 * @param isTrained the request names a trained model: rollouts need token ids beside log-probabilities
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
      ? // Some upstreams refuse `tool_choice` without tools.
        { ...listed, ...(request.tools && { tool_choice: listedChoice }) }
      : { return_token_ids: true };
  return Object.fromEntries(
    Object.entries(wanted).filter(([name]) => (request[name as keyof ChatCompletionRequestDto] ?? null) === null),
  );
}
