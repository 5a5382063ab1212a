import { type AnswerEvent, isJsonObject } from '@hone/client';

import type { SentMessage } from '../../../shared/chat/chat.js';
import { hone } from '../../../shared/data/hone.js';
import { RESPONSES } from '../../../shared/request-code/api-form.js';
import { toTokens } from '../../../shared/tokens/tokens.js';
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

const LOGPROBS = 'message.output_text.logprobs';

/** OpenAI's Responses. Parameters of chat completions that have no other name there are sent as they are. */
export const RESPONSES_DOOR: Door = {
  name: 'responses',
  ...RESPONSES,
  schema: 'ResponsesRequestDto',
  toBody,
  answer: (fields, options) =>
    answersOf(
      hone.inference.streamResponse(fields as never, options),
      { ...NOT_ANSWERED, calls: [] },
      withResponseEvent,
    ),
};

function toBody({ model, messages, parameters }: AskedChat): DoorBody {
  const [first, ...rest] = messages;
  const hasInstructions = first?.role === 'system' && typeof first['content'] === 'string' && rest.length > 0;
  const customCalls = new Set(messages.flatMap(customCallsOf));
  const items = (hasInstructions ? rest : messages).flatMap((message) => toItems(message, customCalls));
  const [only] = items;
  const isText = items.length === 1 && only?.['role'] === 'user' && typeof only['content'] === 'string';
  const { n = 1, ...others } = parameters;
  return {
    fields: withOthers(
      { model, ...(hasInstructions && { instructions: first['content'] }), input: isText ? only['content'] : items },
      toParameters(others),
    ),
    leftOut: n === null || n === 1 ? [] : ['n: a response is one answer.'],
  };
}

function toParameters({
  max_tokens: most,
  max_completion_tokens: mostCompleted,
  response_format: format,
  tools,
  tool_choice: choice,
  logprobs,
  reasoning_effort: effort,
  verbosity,
  text,
  reasoning,
  include,
  ...others
}: Json): Json {
  const said = given({ ...(isJsonObject(text) && text), ...given({ format: toFormat(format), verbosity }) });
  const reasons = given({ ...(isJsonObject(reasoning) && reasoning), ...given({ effort }) });
  const included = [
    ...(Array.isArray(include) ? (include as unknown[]) : []),
    ...(logprobs === true ? [LOGPROBS] : []),
  ];
  return {
    ...given({ max_output_tokens: mostCompleted ?? most }),
    ...(Object.keys(said).length > 0 && { text: said }),
    ...(Object.keys(reasons).length > 0 && { reasoning: reasons }),
    ...(included.length > 0 && { include: included }),
    tools: Array.isArray(tools) ? tools.map(withoutNesting) : tools,
    tool_choice: withoutNesting(choice),
    ...others,
  };
}

/** The members of a function, or of a custom tool, stand in the tool itself, as those of a schema do in the format. */
function withoutNesting(tool: unknown): unknown {
  if (!isJsonObject(tool)) return tool;
  const type = isJsonObject(tool['function']) ? 'function' : 'custom';
  return isJsonObject(tool[type]) ? { type, ...tool[type] } : tool;
}

const toFormat = (format: unknown): unknown =>
  isJsonObject(format) && isJsonObject(format['json_schema'])
    ? { type: 'json_schema', ...format['json_schema'] }
    : format;

const callsOf = (calls: unknown): readonly Json[] => (Array.isArray(calls) ? calls.filter(isJsonObject) : []);

/** Ids of the calls of custom tools, whose results are of another type. */
const customCallsOf = ({ tool_calls: calls }: SentMessage): unknown[] =>
  callsOf(calls)
    .filter(({ custom }) => isJsonObject(custom))
    .map(({ id }) => id);

/** The items that a message becomes. */
function toItems(
  { role, content, tool_calls: calls, tool_call_id: callId, ...message }: SentMessage,
  customCalls: ReadonlySet<unknown>,
): Json[] {
  if (role === 'tool') {
    const type = customCalls.has(callId) ? 'custom_tool_call_output' : 'function_call_output';
    return [{ type, call_id: callId, output: toContent(role, content) }];
  }
  const said = content !== null && content !== undefined && content !== '';
  const called = callsOf(calls).map(toCall);
  return [...(said || called.length === 0 ? [{ role, content: toContent(role, content), ...message }] : []), ...called];
}

function toCall({ id, function: called, custom }: Json): Json {
  if (isJsonObject(custom)) return { type: 'custom_tool_call', call_id: id, ...custom };
  const { name, arguments: args } = isJsonObject(called) ? called : ({} as Json);
  return { type: 'function_call', call_id: id, name, arguments: args };
}

const toContent = (role: string, content: unknown): unknown =>
  Array.isArray(content) ? content.map((part: unknown) => toPart(role, part)) : (content ?? '');

/** Parts of kinds that are not known here are for the server to judge. */
function toPart(role: string, part: unknown): unknown {
  if (!isJsonObject(part)) return part;
  const { type, text, image_url: image } = part;
  if (type === 'text') return { type: role === 'assistant' ? 'output_text' : 'input_text', text };
  if (type === 'file' && isJsonObject(part['file'])) return { type: 'input_file', ...part['file'] };
  if (type !== 'image_url') return part;
  const { url, detail } = isJsonObject(image) ? image : { url: image, detail: null };
  return given({ type: 'input_image', image_url: url, detail });
}

interface ResponseAnswering extends Answering {
  /** Which item of the output each of the turn's tools is. */
  readonly calls: readonly unknown[];
}

/** An answer with what an event of a response adds to it. */
export function withResponseEvent(before: ResponseAnswering, event: AnswerEvent): ResponseAnswering {
  const { turn, calls } = before;
  const delta = typeof event['delta'] === 'string' ? event['delta'] : '';
  switch (event.type) {
    case 'response.created':
      return { ...before, completionId: toCompletionId(isJsonObject(event['response']) && event['response']['id']) };
    case 'response.output_text.delta': {
      const tokens = toTokens({ logprobs: { content: event['logprobs'] } }) ?? [];
      return { ...before, turn: { ...turn, text: turn.text + delta, tokens: [...turn.tokens, ...tokens] } };
    }
    case 'response.refusal.delta':
      return { ...before, turn: { ...turn, text: turn.text + delta } };
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return { ...before, turn: { ...turn, reasoning: (turn.reasoning ?? '') + delta } };
    case 'response.output_item.added': {
      const { item } = event;
      if (!isJsonObject(item) || item['type'] !== 'function_call') return before;
      const id = typeof item['call_id'] === 'string' ? item['call_id'] : '';
      const called = withCall(turn, turn.tools.length, { id, name: String(item['name']) });
      return { ...before, turn: called, calls: [...calls, event['output_index']] };
    }
    case 'response.function_call_arguments.delta': {
      const at = calls.indexOf(event['output_index']);
      return at < 0 ? before : { ...before, turn: withCall(turn, at, { arguments: delta }) };
    }
    default:
      return before;
  }
}
