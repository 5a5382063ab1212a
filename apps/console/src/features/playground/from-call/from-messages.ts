import { isJsonObject } from '@hone/client';

import { type Loose, toArguments } from '../../../shared/chat/blocks.js';
import { given } from '../doors/door.js';
import { SCHEMA_NAME } from '../parameters/request.js';
import { bareText, toPart } from './chat-parts.js';
import { type ChatRequest, LeftOut } from './chat-request.js';

/** Kinds of `tool_choice` of Messages -> that of chat completions. */
const CHOICES: Readonly<Record<string, string>> = { auto: 'auto', any: 'required', none: 'none' };
const THOUGHTS = ['thinking', 'redacted_thinking'];

/** A request for a message in the words of chat completions; parameters that have no other name there are as they were. */
export function fromMessages({ messages, system, ...parameters }: Loose): ChatRequest {
  const leftOut = new LeftOut();
  const told = (system ?? '') === '' ? [] : [{ role: 'system', content: toSaid(system) }];
  const said = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  return {
    inputs: {
      ...toParameters(parameters),
      messages: [...told, ...said.flatMap((message) => toMessages(message, leftOut))],
    },
    leftOut: leftOut.sentences('messages', 'block'),
  };
}

const toSaid = (content: unknown): unknown => (Array.isArray(content) ? bareText(content.map(toPart)) : content);

/** The messages that one is: results of tools stand before what else it says. */
function toMessages({ role, content }: Loose, leftOut: LeftOut): Loose[] {
  if (!Array.isArray(content)) return [{ role, content }];
  const blocks = content.filter(isJsonObject);
  const ofType = (...types: readonly string[]) => blocks.filter(({ type }) => types.includes(String(type)));
  for (const { type } of ofType(...THOUGHTS)) leftOut.add(type);
  const results = ofType('tool_result').map(toResult);
  const calls = ofType('tool_use').map(toCall);
  const others = blocks.filter(({ type }) => !['tool_result', 'tool_use', ...THOUGHTS].includes(String(type)));
  const isOwn = others.length > 0 || calls.length > 0;
  const own = {
    ...{ role, content: others.length === 0 ? null : toSaid(others) },
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return [...results, ...(isOwn ? [own] : [])];
}

/** Nothing in the message of a result says that the tool failed: its text does, as in the gateway. */
function toResult({ tool_use_id: id, content, is_error: hasFailed }: Loose): Loose {
  const said = toSaid(content ?? '');
  return { role: 'tool', tool_call_id: id, content: hasFailed === true ? asError(said) : said };
}

function asError(said: unknown): unknown {
  if (!Array.isArray(said)) return said === '' ? 'Error' : `Error: ${String(said)}`;
  return [{ type: 'text', text: 'Error:' }, ...(said as unknown[])];
}

const toCall = ({ id, name, input }: Loose): Loose => ({
  ...{ id, type: 'function' },
  function: { name, arguments: toArguments(input) },
});

function toParameters({
  stop_sequences: stop,
  tools,
  tool_choice: choice,
  output_config: output,
  metadata,
  ...others
}: Loose): Loose {
  const { effort, format, ...config }: Loose = isJsonObject(output) ? output : {};
  const { user_id: user, ...about }: Loose = isJsonObject(metadata) ? metadata : {};
  const isAlone = isJsonObject(choice) && choice['disable_parallel_tool_use'] === true;
  return {
    ...others,
    ...given({ stop, user, reasoning_effort: effort, response_format: toFormat(format) }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...(Object.keys(about).length > 0 && { metadata: about }),
    ...given({ tools: Array.isArray(tools) ? tools.map(toTool) : tools, tool_choice: toChoice(choice) }),
    ...(isAlone && { parallel_tool_calls: false }),
  };
}

const toFormat = (format: unknown): unknown =>
  isJsonObject(format) && format['type'] === 'json_schema'
    ? { type: 'json_schema', json_schema: { name: SCHEMA_NAME, schema: format['schema'] } }
    : format;

/** Tools that Anthropic's service runs have a type of their own, and stay as they are. */
function toTool(tool: unknown): unknown {
  if (!isJsonObject(tool) || !['custom', null, undefined].includes(tool['type'] as null)) return tool;
  const { name, description, input_schema: parameters, strict } = tool;
  return { type: 'function', function: given({ name, description, parameters, strict }) };
}

function toChoice(choice: unknown): unknown {
  if (!isJsonObject(choice)) return choice;
  const { type, name } = choice;
  return type === 'tool' ? { type: 'function', function: { name } } : (CHOICES[String(type)] ?? choice);
}
