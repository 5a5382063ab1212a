/** One conversation to learn from, as a chat template takes it. */
export interface SftConversation {
  readonly messages: readonly SftMessage[];
  readonly tools: readonly unknown[] | undefined;
}

interface SftMessage {
  readonly role: string;
  /** Of an assistant's message: 0 keeps it as context, 1, null or absent trains it. Without effect for other roles. */
  readonly weight?: unknown;
  readonly [field: string]: unknown;
}

/** As the depth of request bodies. Templates walk through a conversation recursively. */
const MAX_DEPTH = 64;
const ROLES = ['system', 'user', 'assistant', 'tool'];

/**
 * Reads a line `{"messages":[...], "tools"?:[...]}`.
 *
 * @returns the conversation, or in a few words what is wrong with the line
 */
export function readSftLine(line: string): SftConversation | string {
  const parsed = parse(line);
  if (!isObject(parsed)) return 'not a JSON object';
  if (isDeeperThan(parsed, MAX_DEPTH)) return `nested deeper than ${MAX_DEPTH} levels`;
  const { messages, tools } = parsed;
  if (!Array.isArray(messages) || messages.length === 0) return 'messages is not a list with an entry';
  if (!(tools === undefined || tools === null || Array.isArray(tools))) return 'tools is not a list';
  for (const [index, message] of messages.entries()) {
    const wrong = wrongWith(message);
    if (wrong) return `message ${index}: ${wrong}`;
  }
  const read = messages.map(withKnownRole);
  if (read.at(-1)?.role !== 'assistant') return 'the last message is not from the assistant';
  return { messages: read, tools: tools ?? undefined };
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What models call the system, one interface calls the developer. */
const withKnownRole = (message: SftMessage): SftMessage =>
  message.role === 'developer' ? { ...message, role: 'system' } : message;

function wrongWith(message: unknown): string | null {
  if (!isObject(message)) return 'not an object';
  const { role, content, tool_calls, weight } = message;
  if (role !== 'developer' && !ROLES.includes(role as string)) return `role is not one of ${ROLES.join(', ')}`;
  const isAbsent = content === undefined || content === null;
  if (isAbsent && role !== 'assistant') return 'content is missing';
  if (!isAbsent && typeof content !== 'string' && !Array.isArray(content)) return 'content is not text';
  const isWeight = weight === undefined || weight === null || weight === 0 || weight === 1;
  if (role === 'assistant' && !isWeight) return 'weight is not 0 or 1';
  if (tool_calls === undefined || tool_calls === null) return null;
  const isList = Array.isArray(tool_calls) && tool_calls.every(isToolCall);
  return isList ? null : 'tool_calls must be calls of a function with a name and arguments in a JSON string';
}

function isToolCall(call: unknown): boolean {
  if (!isObject(call) || !isObject(call.function)) return false;
  return typeof call.function.name === 'string' && typeof call.function.arguments === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
