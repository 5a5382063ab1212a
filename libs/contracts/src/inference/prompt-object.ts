import { isJsonObject, type JsonValue } from '../json/index.js';

/** `{{name}}` in the messages of a prompt object. In JSON it stands as it is written, and only strings can have it. */
export const PROMPT_VARIABLE = /\{\{ *([A-Za-z_][\w.-]*) *\}\}/g;

/**
 * The messages of a prompt object: of one with `messages`, or of a `StringPrompt`, whose text is a system message.
 *
 * @param value of the object; null: it is no prompt
 */
export function promptMessagesOf(value: JsonValue): JsonValue[] | null {
  if (!isJsonObject(value)) return null;
  const { messages, content } = value;
  if (Array.isArray(messages)) return messages.length > 0 && messages.every(isJsonObject) ? messages : null;
  const isText = value['_type'] === 'StringPrompt' || value['_class_name'] === 'StringPrompt';
  return isText && typeof content === 'string' ? [{ role: 'system', content }] : null;
}
