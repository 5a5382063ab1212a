import type { ResponsesRequestDto, TextFormatDto } from '@hone/contracts';

import { unsupported } from '../../translation/refusals.js';
import { toMessages } from './input-items.js';
import { toChatToolChoice, toChatTools } from './tools.js';

/** Fields of chat completions -> those of responses. */
export const FIELD_NAMES = new Map([
  ['messages', 'input'],
  ['max_completion_tokens', 'max_output_tokens'],
  ['response_format', 'text'],
  ['verbosity', 'text'],
  ['reasoning_effort', 'reasoning'],
]);

/** Fields that would change the answer, and that no chat completion can honour; what they would need is said. */
const REFUSED: Readonly<Record<string, string>> = {
  conversation: 'Conversations are not kept: send the items, or previous_response_id',
  context_management: 'The context is not managed: send the items that the model is to see',
};
const LOGPROBS = 'message.output_text.logprobs';
/** Reasoning is never encrypted here, so there is nothing to include. */
const INCLUDED = [LOGPROBS, 'reasoning.encrypted_content'];

/** @throws InvalidRequestError the answer is to be had later, which no upstream is asked for */
export function assertInForeground({ background }: Record<string, unknown>): void {
  if (isOn(background)) throw unsupported(['background'], 'Responses are not made in the background');
}

/**
 * A request for a response as the fields of a chat completion; those that are unknown go on as they are.
 *
 * @throws InvalidRequestError what a chat completion cannot carry
 */
export function toChatFields(asked: ResponsesRequestDto & Record<string, unknown>): Record<string, unknown> {
  const { input, instructions, max_output_tokens: maxTokens, text, reasoning, include, ...rest } = asked;
  const { truncation, store: _store, max_tool_calls: _calls, stream_options: _options, ...known } = rest;
  const { tools, tool_choice: choice, top_logprobs: top, background: _background, prompt: _prompt, ...others } = known;
  assertInForeground(asked);
  for (const [field, msg] of Object.entries(REFUSED)) if (isOn(rest[field])) throw unsupported([field], msg);
  if (truncation === 'auto') throw unsupported(['truncation'], 'Prompts are not cut: send what the model is to see');
  if (isOn(rest['n']) && rest['n'] !== 1) throw unsupported(['n'], 'A response is one answer');
  const wantsLogprobs = top !== undefined || checkedInclude(include ?? []).includes(LOGPROBS);
  const chatTools = toChatTools(tools ?? undefined);
  return {
    ...others,
    messages: toMessages(input, instructions ?? undefined),
    max_completion_tokens: maxTokens,
    ...(chatTools && chatTools.length > 0 && { tools: chatTools, tool_choice: toChatToolChoice(choice) }),
    response_format: toResponseFormat(text?.format ?? null),
    verbosity: text?.verbosity,
    reasoning_effort: reasoning?.effort,
    ...(wantsLogprobs && { logprobs: true, top_logprobs: top }),
    // The usage is a part of the last event.
    ...(asked.stream === true && { stream_options: { include_usage: true } }),
  };
}

const isOn = (value: unknown): boolean => value !== undefined && value !== false;

function checkedInclude(include: readonly string[]): readonly string[] {
  const unknown = include.findIndex((part) => !INCLUDED.includes(part));
  if (unknown >= 0) throw unsupported(['include', unknown], `There is no ${String(include[unknown])} to include`);
  return include;
}

function toResponseFormat(format: TextFormatDto | null): object | undefined {
  if (format === null || format.type === 'text') return undefined;
  if (format.type === 'json_object') return { type: 'json_object' };
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}
