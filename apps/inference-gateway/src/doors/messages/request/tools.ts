import type { MessageToolChoiceDto } from '@hone/contracts';
import { isJsonObject } from '@hone/json';

import { invalid, textAt, unsupported } from '../../translation/refusals.js';
import type { Json, Loc } from './content-blocks.js';

/** The caller itself, as opposed to code that runs at Anthropic's. */
const DIRECT = 'direct';

/** Tools of a message as those of a chat completion. @throws InvalidRequestError one that Anthropic's service runs */
export function toChatTools(tools: unknown): Json[] {
  if (!Array.isArray(tools)) throw invalid(['tools'], 'Input should be a valid list');
  return tools.map((tool: unknown, at) => {
    if (!isJsonObject(tool)) throw invalid(['tools', at], 'Input should be a valid object');
    return toChatTool(tool, ['tools', at]);
  });
}

function toChatTool(tool: Json, loc: Loc): Json {
  const { type, name, description, input_schema: schema, input_examples: examples, strict } = tool;
  if (isGiven(type) && type !== 'custom') {
    throw unsupported([...loc, 'type'], `Tools of type ${String(type)} are not supported: those of your own are`);
  }
  assertCallable(tool, loc);
  const parameters = isGiven(examples) && isGiven(schema) ? { ...(schema as Json), examples } : schema;
  const called = { name, description, parameters, strict };
  return {
    type: 'function',
    function: Object.fromEntries(Object.entries(called).filter(([, value]) => isGiven(value))),
  };
}

/** The model must see the tool and be able to call it. */
function assertCallable({ defer_loading: isDeferred, allowed_callers: callers }: Json, loc: Loc): void {
  if (isDeferred === true) throw unsupported([...loc, 'defer_loading'], 'There is no search for tools');
  if (Array.isArray(callers) && !callers.includes(DIRECT)) {
    throw unsupported([...loc, 'allowed_callers'], 'Only the model itself calls tools: add direct');
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** @throws InvalidRequestError a tool is to be called and has no name */
export function toChatToolChoice({ type, name }: MessageToolChoiceDto): unknown {
  switch (type) {
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: textAt(name, ['tool_choice', 'name']) } };
    default:
      return type;
  }
}
