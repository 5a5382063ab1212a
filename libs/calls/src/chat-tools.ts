import {
  isJsonObject,
  type JsonObject,
  JsonParseError,
  type JsonValue,
  memberOf,
  parseJson,
  setKey,
} from '@hone/contracts';

const LIMITS = { maxLevels: 128, nonFinite: true };
/** Where a definition has the JSON Schema of its arguments: OpenAI, Anthropic, Vercel's AI SDK, Gemini. */
const SCHEMAS = ['parameters', 'input_schema', 'inputSchema', 'parametersJsonSchema', 'parameters_json_schema'];

/**
 * Definitions of tools in the form of OpenAI's chat API, from the forms in which clients trace them: that form itself as
 * JSON or as its text, flat definitions (semantic conventions, Anthropic, OpenAI's Responses API), and OpenInference's
 * `tool.json_schema`. Tools without a name, such as a provider's own, stay as they are.
 *
 * @param value a list, or the JSON text of one; anything else has no tools
 */
export function toChatTools(value: JsonValue | undefined): JsonValue[] {
  const list = ofText(value);
  return Array.isArray(list) ? list.map(toChatTool) : [];
}

function toChatTool(item: JsonValue): JsonValue {
  const definition = unwrapped(ofText(item));
  if (!isJsonObject(definition)) return item;
  const named = memberOf(definition, 'function');
  const called = isJsonObject(named) ? named : definition;
  const name = memberOf(called, 'name');
  const type = memberOf(definition, 'type');
  if (isChatTool(definition)) return definition;
  if (typeof name !== 'string' || name === '' || (called === definition && isOtherType(type))) return definition;
  const tool: JsonObject = { name };
  for (const key of ['description', 'strict']) copyMember(tool, key, memberOf(called, key));
  copyMember(tool, 'parameters', ofText(SCHEMAS.map((key) => memberOf(called, key)).find(isPresent)));
  return { type: 'function', function: tool };
}

/** A tool as OpenAI's chat API and chat templates take it. */
export function isChatTool(tool: JsonValue): boolean {
  const named = memberOf(tool, 'function');
  const [name, parameters] = [memberOf(named, 'name'), memberOf(named, 'parameters')];
  const isSchema = parameters === undefined || parameters === null || isJsonObject(parameters);
  return memberOf(tool, 'type') === 'function' && typeof name === 'string' && name !== '' && isSchema;
}

/** A flat definition of another type is a provider's own tool, which has a name, too. */
const isOtherType = (type: JsonValue | undefined): boolean =>
  typeof type === 'string' && type !== 'function' && type !== 'custom' && type !== 'tool';

/** OpenInference has a definition at `tool`, and its schema as text at `json_schema`. */
function unwrapped(definition: JsonValue | undefined): JsonValue | undefined {
  const tool = memberOf(definition, 'tool');
  const inner = isJsonObject(tool) ? tool : definition;
  const schema = ofText(memberOf(inner, 'json_schema'));
  return isJsonObject(schema) ? schema : inner;
}

const isPresent = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;

function copyMember(object: JsonObject, key: string, value: JsonValue | undefined): void {
  if (value !== undefined && value !== null) setKey(object, key, value);
}

/** What a text says in JSON; anything else is itself. */
function ofText(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value, LIMITS);
  } catch (error) {
    if (error instanceof JsonParseError) return value;
    throw error;
  }
}
