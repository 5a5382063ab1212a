import { isJsonObject } from '@hone/json';

/** One message of a conversation in the form of OpenAI's chat completions. */
export interface ChatMessage {
  readonly role: string;
  /** Text, parts such as `{ type: 'text', text }`, or null where there are only tool calls. */
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly [field: string]: unknown;
}

/** The form of messages that a template expects. */
export interface MessageForm {
  /** It reads the arguments of tool calls as objects; else as the JSON text that came. */
  readonly parsedArguments: boolean;
  /** A developer's words become the system's: the template has no role `developer`. */
  readonly developerIsSystem: boolean;
  /** It reads `tools`; else they are described in texts. */
  readonly knowsTools: boolean;
  /** It tests whether content is none; else a message without content gets an empty text, which can be joined. */
  readonly knowsNoContent: boolean;
}

/**
 * Brings messages into the form that a template expects.
 *
 * Ours: text parts are joined to one text, so that parts and the same text as a string give the same tokens. Members
 * that are null are absent: many templates only test whether a member exists.
 */
export function toTemplateMessage(message: ChatMessage, form: MessageForm): ChatMessage {
  const role = message.role === 'developer' && form.developerIsSystem ? 'system' : message.role;
  const content = joinTextParts(message.content) ?? (form.knowsNoContent ? null : '');
  const calls = message.tool_calls;
  const present = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null));
  if (!form.parsedArguments || !Array.isArray(calls)) return { ...present, role, content };
  return { ...present, role, content, tool_calls: calls.map(withParsedArguments) };
}

function joinTextParts(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const texts = content.map((part: unknown) => (isJsonObject(part) && part.type === 'text' ? part.text : part));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content;
}

function withParsedArguments(call: unknown): unknown {
  if (!isJsonObject(call) || !isJsonObject(call.function) || typeof call.function.arguments !== 'string') return call;
  return { ...call, function: { ...call.function, arguments: parseOrKeep(call.function.arguments) } };
}

/** Arguments that a model wrote may be no JSON: the template then prints them as they are. */
function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
