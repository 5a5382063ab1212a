import { calledOf, type ChatTool, isAllowedTools } from '@hone/contracts';
import { isJsonObject } from '@hone/json';

import { toTurns, type Turns } from './to-turns.js';

type Json = Record<string, unknown>;
type Fields = Readonly<Json>;

/** Ours: chat completions may leave out how long an answer may be, messages may not. */
const DEFAULT_MAX_TOKENS = 8_192;
const MIN_BUDGET = 1_024;
/** Models that are told how many tokens they may think for; those that came later are told the effort. */
const BUDGETED = /claude-3-7-|-4-(?:[015]-)?\d{8}$|-4-[015]$/;
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
};

/** Fields of chat completions that a message honours. */
export const MESSAGE_PARAMETERS: readonly string[] = [
  ...['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'top_k', 'stop', 'tools', 'tool_choice'],
  ...['parallel_tool_calls', 'reasoning_effort', 'response_format', 'user', 'service_tier'],
  ...['continue_final_message', 'add_generation_prompt'],
];

/**
 * A chat completion as the request for a message (https://platform.claude.com/docs/en/api/messages).
 *
 * @param model its name at the upstream
 */
export function toMessage(fields: Fields, model: string): Json {
  const turns = toTurns(fields['messages'] as readonly Json[]);
  const { max_completion_tokens: max, max_tokens: older, stop, stream, user, service_tier: tier } = fields;
  const asked = max ?? older ?? null;
  const thinking = toThinking(fields['reasoning_effort'], model, turns, asked as number | null);
  const format = toFormat(fields['response_format']);
  const output = { ...thinking.output, ...(format && { format }) };
  return {
    model,
    max_tokens: asked ?? DEFAULT_MAX_TOKENS + (thinking.budget ?? 0),
    ...(turns.system.length > 0 && { system: turns.system }),
    messages: turns.messages,
    ...given({ temperature: fields['temperature'], top_p: fields['top_p'], top_k: toTopK(fields['top_k']) }),
    ...given({ stop_sequences: typeof stop === 'string' ? [stop] : stop, stream }),
    ...toTools(fields),
    ...(thinking.thinking && { thinking: thinking.thinking }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
    ...(typeof user === 'string' && { metadata: { user_id: user } }),
    ...(tier === 'default' && { service_tier: 'standard_only' }),
  };
}

const given = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? null) !== null));

/** 0 and -1: all tokens. */
const toTopK = (top: unknown): number | null => (typeof top === 'number' && top > 0 ? top : null);

interface Thinking {
  readonly thinking?: Json;
  readonly output?: Json;
  readonly budget?: number;
}

function toThinking(effort: unknown, model: string, turns: Turns, maxTokens: number | null): Thinking {
  if (typeof effort !== 'string') return {};
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  if (!BUDGETED.test(model)) {
    const output = { effort: effort === 'minimal' ? 'low' : effort };
    return { thinking: { type: 'adaptive', display: 'summarized' }, output };
  }
  const wanted = BUDGETS[effort] ?? MIN_BUDGET;
  const budget = maxTokens === null ? wanted : Math.min(wanted, maxTokens - 1);
  if (budget < MIN_BUDGET || hasUnsignedCalls(turns)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget }, budget };
}

/** These models do not think on after calls whose thinking they are not shown. */
function hasUnsignedCalls({ messages }: Turns): boolean {
  const last = messages.filter(({ role }) => role === 'assistant').at(-1)?.content ?? [];
  return last.some(({ type }) => type === 'tool_use') && !String(last[0]?.['type']).endsWith('thinking');
}

function toFormat(format: unknown): Json | null {
  const schema = isJsonObject(format) && isJsonObject(format['json_schema']) ? format['json_schema']['schema'] : null;
  return isJsonObject(schema) ? { type: 'json_schema', schema } : null;
}

function toTools({ tools, tool_choice: choice, parallel_tool_calls: isParallel }: Fields): Json {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  const allowed = isAllowedTools(choice) ? choice.allowed_tools : null;
  const names = allowed && new Set(allowed.tools.map((tool) => calledOf(tool)?.name));
  const kept = (tools as ChatTool[]).filter((tool) => names === null || names.has(calledOf(tool)?.name ?? ''));
  const chosen = toChoice(allowed ? allowed.mode : choice);
  const isSerial = isParallel === false && chosen?.['type'] !== 'none';
  const toolChoice = isSerial ? { type: 'auto', ...chosen, disable_parallel_tool_use: true } : chosen;
  return { tools: kept.map(toTool), ...(toolChoice && { tool_choice: toolChoice }) };
}

function toTool({ function: called }: ChatTool): Json {
  const { name, description, parameters, strict } = (called ?? {}) as Json;
  const schema = parameters ?? { type: 'object', properties: {} };
  return { name, ...given({ description }), input_schema: schema, ...(strict === true && { strict }) };
}

function toChoice(choice: unknown): Json | null {
  if (choice === 'required') return { type: 'any' };
  if (choice === 'auto' || choice === 'none') return { type: choice };
  const called = isJsonObject(choice) ? choice['function'] : null;
  return isJsonObject(called) ? { type: 'tool', name: called['name'] } : null;
}
