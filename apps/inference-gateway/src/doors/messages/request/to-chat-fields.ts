import type { CountTokensRequestDto, MessagesRequestDto, OutputConfigDto, ThinkingConfigDto } from '@hone/contracts';
import { isJsonObject } from '@hone/json';

import { unsupported } from '../../translation/refusals.js';
import type { Json } from './content-blocks.js';
import { type Conversation, toConversation } from './conversation.js';
import { toChatToolChoice, toChatTools } from './tools.js';

/** A request, of which that for a count has fewer fields. */
export type AskedMessage = CountTokensRequestDto & Partial<MessagesRequestDto> & Record<string, unknown>;

/** Fields that would change the answer, and that no chat completion can honour. */
const REFUSED: Readonly<Record<string, string>> = {
  container: 'There are no containers',
  inference_geo: 'Where a model runs is set by its route',
  mcp_servers: 'The gateway calls no MCP servers: give their tools as tools of your own',
  n: 'A message is one answer',
  output_format: 'Send the format in output_config',
};
/** Of `context_management`: it clears reasoning of earlier turns, which is left out anyway. */
const CLEAR_THINKING = /^clear_thinking_/;
/** Up to this `budget_tokens`, excluded: the effort. */
const EFFORTS = [
  [4_096, 'low'],
  [16_384, 'medium'],
] as const;

export interface ChatFields {
  readonly fields: Record<string, unknown>;
  readonly conversation: Conversation;
}

/**
 * A request for a message as the fields of a chat completion; those that are unknown go on as they are.
 *
 * @param before chat messages of the prompt that it names
 * @throws InvalidRequestError what a chat completion cannot carry
 */
export function toChatFields(asked: AskedMessage, before: readonly Json[] = []): ChatFields {
  assertCarried(asked);
  const {
    messages,
    system,
    max_tokens: maxTokens,
    stop_sequences: stop,
    metadata,
    service_tier: tier,
    prompt: _prompt,
    ...rest
  } = asked;
  const { tools, tool_choice: choice, thinking, output_config: output, ...others } = rest;
  for (const field of WITHOUT_EFFECT) delete others[field];
  const conversation = toConversation(messages, system, before);
  const fields = {
    ...others,
    messages: conversation.messages,
    // The answer goes on where the caller began it.
    ...(conversation.isPrefilled && { continue_final_message: true, add_generation_prompt: false }),
    max_completion_tokens: maxTokens,
    ...(stop && stop.length > 0 && { stop }),
    ...toToolFields(tools, choice),
    ...toOutputFields(output ?? null, thinking ?? null),
    user: metadata?.user_id,
    ...(tier === 'standard_only' && { service_tier: 'default' }),
    // The usage is a part of the last events.
    ...(asked.stream === true && { stream_options: { include_usage: true } }),
  };
  return { fields, conversation };
}

/** Fields that change no answer; `context_management`, `speed`: with the values that are not refused. */
const WITHOUT_EFFECT = [
  ...['cache_control', 'context_management', 'diagnostics', 'speed', 'stream_options'],
  ...['user_profile_id', 'workspace_id'],
];

function assertCarried(asked: AskedMessage): void {
  for (const [field, msg] of Object.entries(REFUSED)) if (field in asked) throw unsupported([field], msg);
  const { speed, context_management: management } = asked;
  if (speed !== undefined && speed !== 'standard') throw unsupported(['speed'], 'There is one speed: standard');
  const edits = isJsonObject(management) && Array.isArray(management['edits']) ? management['edits'] : [];
  for (const [at, edit] of edits.entries()) {
    const type = isJsonObject(edit) ? edit['type'] : undefined;
    if (typeof type !== 'string' || !CLEAR_THINKING.test(type)) {
      throw unsupported(
        ['context_management', 'edits', at],
        'The context is not managed: send what the model is to see',
      );
    }
  }
}

function toToolFields(asked: unknown, choice: AskedMessage['tool_choice']): object {
  const tools = toChatTools(asked ?? []);
  if (tools.length === 0) {
    // Without tools, the others ask for nothing.
    return choice?.type === 'any' || choice?.type === 'tool' ? { tool_choice: toChatToolChoice(choice) } : {};
  }
  return {
    tools,
    ...(choice && { tool_choice: toChatToolChoice(choice) }),
    ...(choice?.disable_parallel_tool_use === true && { parallel_tool_calls: false }),
  };
}

function toOutputFields(output: OutputConfigDto | null, thinking: ThinkingConfigDto | null): object {
  for (const member of Object.keys(output ?? {})) {
    if (member !== 'effort' && member !== 'format') {
      throw unsupported(['output_config', member], 'This parameter is not supported');
    }
  }
  const { effort, format } = output ?? {};
  return {
    reasoning_effort: effort === 'max' ? 'xhigh' : (effort ?? effortOf(thinking)),
    ...(format && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema, strict: true } },
    }),
  };
}

/**
 * The `reasoning_effort` that a budget amounts to. `adaptive` leaves it to the model. So does `disabled`: upstreams without
 * reasoning refuse any effort, even `none`, and clients send it to all models; the answer then shows no reasoning.
 */
function effortOf(thinking: ThinkingConfigDto | null): string | undefined {
  const budget = thinking?.type === 'enabled' ? (thinking.budget_tokens ?? null) : null;
  if (budget === null) return undefined;
  return EFFORTS.find(([below]) => budget < below)?.[1] ?? 'high';
}
