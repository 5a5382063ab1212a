import { isJsonObject } from '@hone/json';

import { invalid, textAt, unsupported } from '../../translation/refusals.js';
import { joinedName } from './namespaces.js';

type Json = Record<string, unknown>;
type Loc = readonly (string | number)[];

/** Tools of a response as those of a chat completion. @throws InvalidRequestError one that is built into OpenAI's service */
export const toChatTools = (tools: readonly Json[] | undefined): Json[] | undefined =>
  tools?.flatMap((tool, at) =>
    tool['type'] === 'namespace' ? groupedTools(tool, ['tools', at]) : [toChatTool(tool, ['tools', at])],
  );

/** The tools of a namespace. What it says of itself, each of them says, too. */
function groupedTools(group: Json, loc: Loc): Json[] {
  const namespace = textAt(group['name'], [...loc, 'name']);
  const purpose = textOrNone(group['description'], [...loc, 'description']);
  const { tools } = group;
  if (!Array.isArray(tools)) throw invalid([...loc, 'tools'], 'Input should be a valid list');
  return tools.map((tool: unknown, at) => {
    const own: Loc = [...loc, 'tools', at];
    if (!isJsonObject(tool)) throw invalid(own, 'Input should be a valid object');
    const name = joinedName(namespace, textAt(tool['name'], [...own, 'name']));
    const texts = [purpose, textOrNone(tool['description'], [...own, 'description'])];
    const description = texts.filter((text) => text !== '').join('\n\n');
    return toChatTool({ ...tool, name, ...(description !== '' && { description }) }, own);
  });
}

const textOrNone = (value: unknown, loc: Loc): string => textAt(value ?? '', loc);

function toChatTool({ type, ...tool }: Json, loc: Loc): Json {
  if (type !== 'function' && type !== 'custom') {
    throw unsupported([...loc, 'type'], `Tools of type ${String(type)} are not supported: functions are`);
  }
  const { name, description, parameters, strict, format } = tool;
  const called = type === 'function' ? { name, description, parameters, strict } : { name, description, format };
  return { type, [type]: given(called) };
}

/** @throws InvalidRequestError a choice that a chat completion does not have */
export function toChatToolChoice(choice: unknown): unknown {
  if (choice === undefined || typeof choice === 'string') return choice;
  if (!isJsonObject(choice)) throw invalid(['tool_choice'], 'Input should be a string or an object');
  if (choice['type'] !== 'allowed_tools') return toNamedTool(choice, ['tool_choice']);
  const { mode = 'auto', tools } = choice;
  if (!Array.isArray(tools)) throw invalid(['tool_choice', 'tools'], 'Input should be a valid list');
  const allowed = tools.map((tool, at) => toNamedTool(isJsonObject(tool) ? tool : {}, ['tool_choice', 'tools', at]));
  return { type: 'allowed_tools', allowed_tools: { mode, tools: allowed } };
}

function toNamedTool({ type, name }: Json, loc: Loc): Json {
  if (type === 'function' || type === 'custom') return { type, [type]: { name } };
  throw unsupported([...loc, 'type'], `Tools of type ${String(type)} are not supported: functions are`);
}

const given = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
