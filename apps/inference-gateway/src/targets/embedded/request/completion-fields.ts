import { type ChatCompletionRequestDto, isInputList } from '@hone/contracts';

import type { ChatRequest } from '../../target.js';

/** What OpenAI's API generates where a request says nothing. */
const DEFAULT_MAX_TOKENS = 16;

/** A prompt that is continued as it stands: a text, or token ids. */
export type RawPrompt = string | readonly number[];

/** The prompts of a request for completions. */
export function promptsOf({ prompt }: Readonly<Record<string, unknown>>): readonly RawPrompt[] {
  return isInputList(prompt) ? (prompt as readonly RawPrompt[]) : [prompt as RawPrompt];
}

/** The same request as one for each prompt, in order. */
export function toSinglePrompts(request: ChatRequest): readonly ChatRequest[] {
  const prompts = promptsOf(request.fields);
  const choices = request.choices / prompts.length;
  return prompts.map((prompt) => ({ ...request, choices, fields: { ...request.fields, prompt } }));
}

/** The fields of a request for completions under the names that chat completions have for them. */
export function asChatFields(fields: Readonly<Record<string, unknown>>): ChatCompletionRequestDto {
  const { prompt: _prompt, logprobs, max_tokens: maxTokens, echo, ...others } = fields;
  const isShown = typeof logprobs === 'number';
  return {
    ...(others as unknown as ChatCompletionRequestDto),
    messages: [],
    // With 0 only the prompt is asked for: whoever writes the answer leaves out the one token.
    max_tokens: Math.max(1, (maxTokens as number | null | undefined) ?? DEFAULT_MAX_TOKENS),
    logprobs: isShown,
    ...(isShown && { top_logprobs: logprobs }),
    ...(isShown && echo === true && { prompt_logprobs: logprobs, return_token_ids: true }),
  };
}
