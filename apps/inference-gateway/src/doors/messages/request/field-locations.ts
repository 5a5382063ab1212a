import type { Issue } from '@hone/contracts';

import type { Loc } from './content-blocks.js';
import type { Origin } from './conversation.js';

/** Fields of chat completions -> those of messages. */
const FIELD_NAMES: Readonly<Record<string, Loc>> = {
  add_generation_prompt: ['messages'],
  continue_final_message: ['messages'],
  max_completion_tokens: ['max_tokens'],
  parallel_tool_calls: ['tool_choice', 'disable_parallel_tool_use'],
  response_format: ['output_config', 'format'],
  stop: ['stop_sequences'],
  user: ['metadata', 'user_id'],
};

/** Where an issue of a chat completion stands in the message that was asked for. @param loc begins with `body` */
export function toMessageLoc([at, field, ...rest]: Issue['loc'], origins: readonly Origin[]): Issue['loc'] {
  if (at !== 'body' || typeof field !== 'string')
    return [at as string, ...(field === undefined ? [] : [field]), ...rest];
  if (field === 'messages') return [at, ...inMessages(rest, origins)];
  if (field === 'tools') return [at, field, ...inTools(rest)];
  return [at, ...(FIELD_NAMES[field] ?? [field]), ...rest];
}

function inMessages([index, member, part, ...rest]: Issue['loc'], origins: readonly Origin[]): Loc {
  const origin = typeof index === 'number' ? origins[index] : undefined;
  if (origin === undefined) return ['messages'];
  const block = member === 'content' && typeof part === 'number' ? origin.parts[part] : undefined;
  return block ? [...block, ...rest] : origin.loc;
}

function inTools([index, member, field, ...rest]: Issue['loc']): Loc {
  if (index === undefined) return [];
  if (member !== 'function' || field === undefined) return [index];
  return [index, field === 'parameters' ? 'input_schema' : field, ...rest];
}
