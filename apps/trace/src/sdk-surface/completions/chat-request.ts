import { isJsonObject, type JsonObject, type JsonValue, setKey } from '@hone/contracts';

/** Inputs that say how to make the request, or are meant for a client library: they are no part of it. */
const NOT_SENT = new Set([
  ...['prompt', 'template_vars', 'api_version', 'extra_headers', 'timeout', 'vertex_credentials', 'stream'],
  'stream_options',
]);
const VARIABLE = /\{(\w+)\}/g;

/**
 * The body of the request for a chat completion.
 *
 * @param promptMessages those of the prompt, which come first
 */
export function toChatRequest(inputs: JsonObject, promptMessages: readonly JsonValue[], isStream: boolean): JsonObject {
  const request = {};
  for (const key of Object.keys(inputs))
    if (!NOT_SENT.has(key) && inputs[key] !== null) setKey(request, key, inputs[key]);
  const own = Array.isArray(inputs['messages']) ? inputs['messages'] : [];
  const variables = isJsonObject(inputs['template_vars']) ? inputs['template_vars'] : {};
  const messages = [...promptMessages, ...own];
  const hasVariables = Object.keys(variables).length > 0;
  const filled = hasVariables ? messages.map((message) => fill(message, variables)) : messages;
  return { ...request, messages: filled, ...(isStream && { stream: true, stream_options: { include_usage: true } }) };
}

/** The texts of a message with their variables; a name without a value stays as it is. */
function fill(value: JsonValue, variables: JsonObject): JsonValue {
  if (typeof value === 'string')
    return value.replace(VARIABLE, (whole, name: string) =>
      Object.hasOwn(variables, name) ? String(variables[name] as string) : whole,
    );
  if (Array.isArray(value)) return value.map((item) => fill(item, variables));
  if (!isJsonObject(value)) return value;
  const filled = {};
  for (const key of Object.keys(value))
    setKey(filled, key, key === 'role' ? value[key] : fill(value[key] as JsonValue, variables));
  return filled;
}
