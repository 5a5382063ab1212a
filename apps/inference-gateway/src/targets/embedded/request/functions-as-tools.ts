import { type ChatCompletionRequestDto, toTools, withToolCalls } from '@hone/contracts';

/** The request has tools in the older notation: so has its answer. */
export const usesFunctions = ({ functions }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(functions) && functions.length > 0;

/**
 * The same request in the newer notation: `functions` as tools, `function_call` as `tool_choice`, and so in its messages
 * (https://platform.openai.com/docs/api-reference/chat/create, deprecated fields).
 */
export function functionsAsTools(fields: ChatCompletionRequestDto): ChatCompletionRequestDto {
  const { functions, function_call: choice, ...others } = fields;
  const messages = withToolCalls(fields.messages);
  if (!functions || functions.length === 0) return { ...others, messages };
  const tools = toTools(functions) as ChatCompletionRequestDto['tools'];
  const tool_choice = typeof choice === 'object' && choice !== null ? { function: { name: choice.name } } : choice;
  // A message of the older notation holds one call at most.
  return { ...others, messages, tools, parallel_tool_calls: false, ...(tool_choice && { tool_choice }) };
}
