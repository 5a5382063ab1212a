import { calledOf, type ChatTool, isAllowedTools } from '@hone/contracts';

import type { Dialect } from './dialect.js';

type Fields = Readonly<Record<string, unknown>>;

const NONE: readonly never[] = [];

/**
 * Fields of tools that a server of the dialect does not honour as they are: vLLM refuses custom tools, and ignores
 * `functions` (`ChatCompletionRequest` in vllm/entrypoints/openai/chat_completion/protocol.py).
 */
export function unknownToolFields(dialect: Dialect, { tools, functions }: Fields): readonly string[] {
  if (dialect !== 'vllm') return NONE;
  const hasCustom = Array.isArray(tools) && (tools as ChatTool[]).some(({ type }) => type === 'custom');
  const hasFunctions = Array.isArray(functions) && functions.length > 0;
  return [...(hasCustom ? ['tools'] : NONE), ...(hasFunctions ? ['functions'] : NONE)];
}

/** Fields with their JSON that say the same to a server without `allowed_tools`: the allowed tools are all there are. */
export function toolFieldsFor(dialect: Dialect, { tools, tool_choice: choice }: Fields): (readonly [string, string])[] {
  if (dialect !== 'vllm' || !isAllowedTools(choice) || !Array.isArray(tools)) return [];
  const { mode, tools: allowed } = choice.allowed_tools;
  const names = new Set(allowed.map((tool) => calledOf(tool)?.name));
  const kept = (tools as ChatTool[]).filter((tool) => names.has(calledOf(tool)?.name));
  return [
    ['tools', JSON.stringify(kept)],
    ['tool_choice', JSON.stringify(mode)],
  ];
}

/** Fields whose empty list counts as absent, though some servers refuse it. */
export const emptyToolFields = ({ tools, functions }: Fields): readonly string[] =>
  isEmpty(tools) || isEmpty(functions)
    ? [...(isEmpty(tools) ? ['tools'] : NONE), ...(isEmpty(functions) ? ['functions'] : NONE)]
    : NONE;

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;
