import { type ChatCompletionRequestDto, toTools, withToolCalls } from '@hone/contracts';

import type { ChatRequest } from '../../target.js';
import { asChatFields } from './completion-fields.js';

/** Fields of a validated request, without those that count as absent, and with its tools in one notation. */
export function effectiveFields({ fields: sent, endpoint }: ChatRequest): ChatCompletionRequestDto {
  const fields = endpoint === 'completions' ? asChatFields(sent) : sent;
  const entries = Object.entries(fields).filter(([name, value]) => value !== null && !isNoTools(name, value));
  return functionsAsTools(Object.fromEntries(entries) as unknown as ChatCompletionRequestDto);
}

const isNoTools = (name: string, value: unknown): boolean =>
  name === 'tools' && Array.isArray(value) && value.length === 0;

/** The request has tools in the older notation: so has its answer. */
export const usesFunctions = ({ functions }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(functions) && functions.length > 0;

/**
 * The same request in the newer notation: `functions` as tools, `function_call` as `tool_choice`, and so in its messages
 * (https://platform.openai.com/docs/api-reference/chat/create, deprecated fields).
 */
function functionsAsTools(fields: ChatCompletionRequestDto): ChatCompletionRequestDto {
  const { functions, function_call: choice, ...others } = fields;
  const messages = withToolCalls(fields.messages);
  if (!functions || functions.length === 0) return { ...others, messages };
  const tools = toTools(functions) as ChatCompletionRequestDto['tools'];
  const tool_choice = typeof choice === 'object' && choice !== null ? { function: { name: choice.name } } : choice;
  // A message of the older notation holds one call at most.
  return { ...others, messages, tools, parallel_tool_calls: false, ...(tool_choice && { tool_choice }) };
}
