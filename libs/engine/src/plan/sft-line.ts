import { toTools, withToolCalls } from '@hone/contracts';
import { isDeeperThan, isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

/** One conversation to learn from, as a chat template takes it. */
export interface SftConversation {
  readonly messages: readonly SftMessage[];
  readonly tools: readonly unknown[] | undefined;
}

export interface SftMessage {
  readonly role: string;
  /** Of an assistant's message: 0 keeps it as context, 1, null or absent trains it. Without effect for other roles. */
  readonly weight?: unknown;
  readonly [field: string]: unknown;
}

/** Request bodies have the same limit: chat templates recurse into a conversation. */
const MAX_DEPTH = 64;
const ROLES = ['system', 'user', 'assistant', 'tool'];
/** Other names of roles: OpenAI's `developer`, and `function` of its older function calls. */
const ALIASES = ['developer', 'function'];

/**
 * Reads a line `{"messages":[...], "tools"?:[...]}`. `functions` and `function_call`, which came before `tools` and
 * `tool_calls`, are read as these.
 *
 * @returns the conversation, or in a few words what is wrong with the line
 */
export function readSftLine(line: string): SftConversation | string {
  const parsed = readObjectLine(line);
  return typeof parsed === 'string' ? parsed : readConversation(parsed);
}

/** The JSON object of a line, or in a few words what is wrong with the line. */
export function readObjectLine(line: string): Record<string, unknown> | string {
  const parsed = parsePlainJson(line);
  if (!isJsonObject(parsed)) return 'not a JSON object';
  return isDeeperThan(parsed, MAX_DEPTH) ? `nested deeper than ${MAX_DEPTH} levels` : parsed;
}

/** The conversation of an object, or in a few words what is wrong with it. Its last message is an answer. */
export function readConversation(parsed: Record<string, unknown>): SftConversation | string {
  const { messages } = parsed;
  if (!Array.isArray(messages) || messages.length === 0) return 'messages is not a list with an entry';
  const tools = readTools(parsed);
  if (typeof tools === 'string') return tools;
  const malformed = (tools ?? []).findIndex((tool) => !isTool(tool));
  if (malformed >= 0) return `tool ${malformed}: not {"type": "function", "function": {"name": …, "parameters": {…}}}`;
  for (const [index, message] of messages.entries()) {
    const wrong = wrongWith(message);
    if (wrong) return `message ${index}: ${wrong}`;
  }
  const read = withToolCalls((messages as SftMessage[]).map(withKnownRole));
  if (read.at(-1)?.role !== 'assistant') return 'the last message is not from the assistant';
  return { messages: read, tools };
}

/** The functions that a conversation may call; undefined: it names none. */
function readTools({ tools, functions }: Record<string, unknown>): readonly unknown[] | undefined | string {
  for (const [name, list] of Object.entries({ tools, functions })) {
    if (list !== undefined && list !== null && !Array.isArray(list)) return `${name} is not a list`;
  }
  if (Array.isArray(tools)) return tools;
  return Array.isArray(functions) ? toTools(functions) : undefined;
}

/** Models know as `system` what OpenAI calls `developer`. */
const withKnownRole = (message: SftMessage): SftMessage =>
  message.role === 'developer' ? { ...message, role: 'system' } : message;

function wrongWith(message: unknown): string | null {
  if (!isJsonObject(message)) return 'not an object';
  const { role, content, weight } = message;
  if (![...ROLES, ...ALIASES].includes(role as string)) return `role is not one of ${ROLES.join(', ')}`;
  const isEmpty = isAbsent(content);
  if (isEmpty && role !== 'assistant') return 'content is missing';
  if (!isEmpty && typeof content !== 'string' && !Array.isArray(content)) return 'content is not text';
  const isWeight = weight === undefined || weight === null || weight === 0 || weight === 1;
  if (role === 'assistant' && !isWeight) return 'weight is not 0 or 1';
  return wrongWithCalls(message);
}

function wrongWithCalls({ tool_calls: calls, function_call: call }: Record<string, unknown>): string | null {
  const areCalls =
    isAbsent(calls) || (Array.isArray(calls) && calls.every((one) => isJsonObject(one) && isCall(one.function)));
  if (!areCalls) return 'tool_calls must be calls of a function with a name and arguments in a JSON string';
  return isAbsent(call) || isCall(call) ? null : 'function_call must have a name and arguments in a JSON string';
}

/** Whether chat templates can read the tool. Another form would make prompts that no model was trained on. */
function isTool(tool: unknown): boolean {
  if (!isJsonObject(tool) || tool.type !== 'function' || !isJsonObject(tool.function)) return false;
  const { name, description, parameters } = tool.function;
  const isText = description === undefined || description === null || typeof description === 'string';
  const isSchema = parameters === undefined || parameters === null || isJsonObject(parameters);
  return typeof name === 'string' && name !== '' && isText && isSchema;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const isCall = (call: unknown): boolean =>
  isJsonObject(call) && typeof call.name === 'string' && typeof call.arguments === 'string';
