import { type AnswerEvent, isJsonObject, parseJson } from '@hone/client';

import type { SentMessage } from '../../../shared/chat/chat.js';
import { hone } from '../../../shared/data/hone.js';
import { MESSAGES } from '../../../shared/request-code/api-form.js';
import { withCall } from '../conversation.js';
import {
  type Answering,
  answersOf,
  type AskedChat,
  type Door,
  type DoorBody,
  given,
  NOT_ANSWERED,
  toCompletionId,
  withOthers,
} from './door.js';

type Json = Readonly<Record<string, unknown>>;

/** Messages must say how many tokens they may have. */
const MAX_TOKENS = 1_024;
/** `tool_choice` of chat completions -> that of messages. */
const CHOICES: Readonly<Record<string, string>> = { auto: 'auto', required: 'any', none: 'none' };
const WITHOUT_PLACE: Readonly<Record<string, string>> = {
  n: 'a message is one answer.',
  logprobs: 'messages have no probabilities.',
};
/** `data:image/png;base64,…` */
const DATA_ADDRESS = /^data:([^;,]+);base64,(.*)$/s;

/** Anthropic's Messages. Parameters of chat completions that have no other name there are sent as they are. */
export const MESSAGES_DOOR: Door = {
  name: 'messages',
  ...MESSAGES,
  schema: 'MessagesRequestDto',
  toBody,
  answer: (fields, options) =>
    answersOf(hone.inference.streamMessage(fields as never, options), NOT_ANSWERED, withMessageEvent),
};

function toBody({ model, messages, parameters }: AskedChat): DoorBody {
  const system = messages.filter(isSystem);
  const last = messages.findLastIndex(isSystem);
  const isEarly = last < system.length;
  const hasNoPlace = (name: string) => Object.hasOwn(WITHOUT_PLACE, name) && (name !== 'n' || parameters[name] !== 1);
  return {
    fields: withOthers(
      {
        model,
        max_tokens: parameters['max_completion_tokens'] ?? parameters['max_tokens'] ?? MAX_TOKENS,
        ...(system.length > 0 && { system: toSystem(system) }),
        messages: messages.filter((message) => !isSystem(message)).map(toMessage),
      },
      toParameters(parameters),
    ),
    leftOut: [
      ...Object.keys(given(parameters))
        .filter(hasNoPlace)
        .map((name) => `${name}: ${WITHOUT_PLACE[name]}`),
      ...(isEarly ? [] : ['The place of system messages amid the others: they stand before all of them.']),
    ],
  };
}

const isSystem = ({ role }: SentMessage): boolean => role === 'system' || role === 'developer';

function toSystem(messages: readonly SentMessage[]): unknown {
  const [only, ...more] = messages.map(({ content }) => content);
  return more.length === 0 ? toContent(only) : messages.flatMap(({ content }) => toBlocks(content));
}

function toParameters({
  max_completion_tokens: _most,
  response_format: format,
  tools,
  tool_choice: choice,
  parallel_tool_calls: isParallel,
  reasoning_effort: effort,
  output_config: output,
  stop,
  user,
  metadata,
  n: _n,
  logprobs: _logprobs,
  top_logprobs: _top,
  ...others
}: Json): Json {
  const about = given({ ...(isJsonObject(metadata) && metadata), ...given({ user_id: user }) });
  const config = given({ ...(isJsonObject(output) && output), ...given({ effort, format: toFormat(format) }) });
  return {
    stop_sequences: typeof stop === 'string' ? [stop] : stop,
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...(Object.keys(about).length > 0 && { metadata: about }),
    tools: Array.isArray(tools) ? tools.map(toTool) : tools,
    tool_choice: toChoice(choice, isParallel),
    ...others,
  };
}

const toFormat = (format: unknown): unknown =>
  isJsonObject(format) && isJsonObject(format['json_schema'])
    ? { type: 'json_schema', schema: format['json_schema']['schema'] }
    : format;

function toTool(tool: unknown): unknown {
  if (!isJsonObject(tool) || !isJsonObject(tool['function'])) return tool;
  const { name, description, parameters = { type: 'object' }, strict } = tool['function'];
  return given({ name, description, input_schema: parameters, strict });
}

function toChoice(choice: unknown, isParallel: unknown): unknown {
  const alone = isParallel === false ? { disable_parallel_tool_use: true } : {};
  if (choice === undefined || choice === null) return isParallel === false ? { type: 'auto', ...alone } : null;
  if (typeof choice === 'string') return { type: CHOICES[choice] ?? choice, ...alone };
  const called = isJsonObject(choice) ? choice['function'] : undefined;
  return isJsonObject(called) ? { type: 'tool', name: called['name'], ...alone } : choice;
}

function toMessage({ role, content, tool_calls: calls, tool_call_id: callId }: SentMessage): Json {
  if (role === 'tool') {
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content: toContent(content) }] };
  }
  const uses = Array.isArray(calls) ? calls.filter(isJsonObject).map(toUse) : [];
  return { role, content: uses.length === 0 ? toContent(content) : [...toBlocks(content), ...uses] };
}

function toUse({ id, function: called }: Json): Json {
  const { name, arguments: args } = isJsonObject(called) ? called : ({} as Json);
  return { type: 'tool_use', id, name, input: toInput(args) };
}

/** What a model wrote as arguments may be no JSON. */
function toInput(args: unknown): unknown {
  try {
    return parseJson(String(args));
  } catch {
    return { unparsed: args };
  }
}

const toContent = (content: unknown): unknown => (Array.isArray(content) ? content.map(toBlock) : (content ?? ''));

function toBlocks(content: unknown): unknown[] {
  if (Array.isArray(content)) return content.map(toBlock);
  return content === null || content === undefined || content === '' ? [] : [{ type: 'text', text: content }];
}

/** Blocks of kinds that are not known here are for the server to judge. */
function toBlock(part: unknown): unknown {
  if (!isJsonObject(part) || part['type'] !== 'image_url') return part;
  const { image_url: image } = part;
  const url = String(isJsonObject(image) ? image['url'] : image);
  const [, mediaType, data] = DATA_ADDRESS.exec(url) ?? [];
  return {
    type: 'image',
    source: data === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data },
  };
}

/** An answer with what an event of a message adds to it. Its blocks come one after the other. */
export function withMessageEvent(before: Answering, event: AnswerEvent): Answering {
  const { turn } = before;
  if (event.type === 'message_start') {
    return { ...before, completionId: toCompletionId(isJsonObject(event['message']) && event['message']['id']) };
  }
  const { content_block: block, delta } = event;
  if (event.type === 'content_block_start' && isJsonObject(block) && typeof block['name'] === 'string') {
    const id = typeof block['id'] === 'string' ? block['id'] : '';
    return { ...before, turn: withCall(turn, turn.tools.length, { id, name: block['name'] }) };
  }
  if (event.type !== 'content_block_delta' || !isJsonObject(delta)) return before;
  const { text, thinking, partial_json: json } = delta;
  if (typeof text === 'string') return { ...before, turn: { ...turn, text: turn.text + text } };
  if (typeof thinking === 'string') {
    return { ...before, turn: { ...turn, reasoning: (turn.reasoning ?? '') + thinking } };
  }
  if (typeof json !== 'string' || turn.tools.length === 0) return before;
  return { ...before, turn: withCall(turn, turn.tools.length - 1, { arguments: json }) };
}
