import type { ResponsesRequestDto } from '@hone/contracts';

import type { ResponseNote } from './response-note.js';

type Json = Record<string, unknown>;

/** The request for a response, of the chat completion that it became: what the response repeats of it. */
export function toAsked(fields: Json, note: ResponseNote): ResponsesRequestDto & Json {
  const { messages, max_completion_tokens: maxTokens, response_format: format, reasoning_effort: effort } = fields;
  const { model, tools, tool_choice: choice, verbosity, ...others } = fields;
  const [first] = messages as readonly Json[];
  return {
    ...others,
    model: model as string,
    input: [],
    instructions: note.instructions ? (first?.['content'] as string) : null,
    max_output_tokens: (maxTokens as number | undefined) ?? null,
    previous_response_id: note.previous_response_id ?? null,
    reasoning: { effort: (effort as string | undefined) ?? null },
    text: { format: toTextFormat(format as Json | undefined), verbosity: (verbosity as string | undefined) ?? null },
    tools: ((tools as readonly Json[] | undefined) ?? []).map(toTool),
    tool_choice: toToolChoice(choice),
  };
}

function toTextFormat(format: Json | undefined): { type: 'text' | 'json_object' | 'json_schema' } | null {
  if (format === undefined) return null;
  if (format['type'] === 'json_object') return { type: 'json_object' };
  return { type: 'json_schema', ...(format['json_schema'] as Json) };
}

const toTool = (tool: Json): Json => ({ type: tool['type'], ...(tool[tool['type'] as string] as Json) });

function toToolChoice(choice: unknown): unknown {
  if (typeof choice !== 'object' || choice === null) return choice;
  const named = choice as Json;
  if (named['type'] !== 'allowed_tools') return toTool(named);
  const { mode, tools } = named['allowed_tools'] as { mode: string; tools: readonly Json[] };
  return { type: 'allowed_tools', mode, tools: tools.map(toTool) };
}
