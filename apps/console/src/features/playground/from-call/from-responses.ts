import { isJsonObject } from '@hone/client';

import { type Loose, toContent } from '../../../shared/chat/blocks.js';
import { given } from '../doors/door.js';
import { bareText, toPart } from './chat-parts.js';
import { type ChatRequest, LeftOut } from './chat-request.js';

const LOGPROBS = 'message.output_text.logprobs';

/** A request for a response in the words of chat completions; parameters that have no other name there are as they were. */
export function fromResponses({ input, instructions, ...parameters }: Loose): ChatRequest {
  const told =
    typeof instructions === 'string' && instructions !== '' ? [{ role: 'system', content: instructions }] : [];
  const before = Array.isArray(instructions) ? instructions : [];
  const own = typeof input === 'string' ? [{ role: 'user', content: input }] : Array.isArray(input) ? input : [];
  const items = new Items();
  for (const item of [...before, ...own] as readonly unknown[]) items.take(item);
  return {
    inputs: { ...toParameters(parameters), messages: [...told, ...items.messages] },
    leftOut: items.leftOut.sentences('input', 'item'),
  };
}

/**
 * Gathers messages of the items of an input: a call of a tool belongs to the answer before it. A conversation that is shown
 * has more, such as what was thought and what the server's own tools did, which a model cannot be sent as messages.
 */
class Items {
  readonly messages: Loose[] = [];
  readonly leftOut = new LeftOut();

  take(item: unknown): void {
    const { type = 'message', role, content, ...members }: Loose = isJsonObject(item) ? item : {};
    if (type === 'function_call' || type === 'custom_tool_call') this.addCall(toCall(type, members));
    else if (type === 'function_call_output' || type === 'custom_tool_call_output')
      this.messages.push({
        role: 'tool',
        tool_call_id: members['call_id'],
        content: toSaid(toContent(members['output'])),
      });
    else if (type === 'message' && typeof role === 'string') this.messages.push({ role, content: toSaid(content) });
    else this.leftOut.add(type);
  }

  private addCall(call: Loose): void {
    const last = this.messages.at(-1);
    const isAnswer = last?.['role'] === 'assistant';
    const { tool_calls: calls = [], ...answer }: Loose = isAnswer ? last : { role: 'assistant', content: null };
    if (isAnswer) this.messages.pop();
    this.messages.push({ ...answer, tool_calls: [...(calls as Loose[]), call] });
  }
}

const toSaid = (content: unknown): unknown =>
  Array.isArray(content) ? bareText(content.map(toPart)) : (content ?? null);

/** Tools in a namespace go by both names, as in the gateway. */
function toCall(type: string, { call_id: id, namespace, name, arguments: args, input }: Loose): Loose {
  const called = typeof namespace === 'string' ? `${namespace}__${String(name)}` : name;
  return type === 'function_call'
    ? { id, type: 'function', function: { name: called, arguments: args } }
    : { id, type: 'custom', custom: { name: called, input } };
}

function toParameters({
  max_output_tokens: most,
  text,
  reasoning,
  include,
  tools,
  tool_choice: choice,
  top_logprobs: top,
  ...others
}: Loose): Loose {
  const { format, verbosity, ...said }: Loose = isJsonObject(text) ? text : {};
  const { effort, ...reasons }: Loose = isJsonObject(reasoning) ? reasoning : {};
  const included: readonly unknown[] = Array.isArray(include) ? include : [];
  const hasLogprobs = included.includes(LOGPROBS) || (top ?? null) !== null;
  const otherParts = included.filter((part) => part !== LOGPROBS);
  return {
    ...others,
    ...given({ max_tokens: most, response_format: toFormat(format), verbosity, reasoning_effort: effort }),
    ...given({ text: unlessEmpty(said), reasoning: unlessEmpty(reasons), include: unlessEmpty(otherParts) }),
    ...given({ ...(hasLogprobs && { logprobs: true }), top_logprobs: top }),
    ...given({ tools: Array.isArray(tools) ? tools.map(nested) : tools, tool_choice: nested(choice) }),
  };
}

/** Null: what an answer has anyway. */
function toFormat(format: unknown): unknown {
  if (!isJsonObject(format) || format['type'] === 'text') return null;
  const { type, ...schema } = format;
  return type === 'json_schema' ? { type, json_schema: schema } : format;
}

/** The members of a function stand in a member of its own. */
function nested(tool: unknown): unknown {
  if (!isJsonObject(tool)) return tool;
  const { type, ...members } = tool;
  return type === 'function' || type === 'custom' ? { type, [type]: given(members) } : tool;
}

const unlessEmpty = (value: object): object | null =>
  Object.values(given(value as Loose)).length === 0 ? null : value;
