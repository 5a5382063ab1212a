import { isJsonObject, type JsonObject, type JsonValue, setKey } from '@hone/contracts';

import type { AttributeReader } from './attribute-reader.js';
import { unquotedText } from './json-text.js';

const REQUEST = 'gen_ai.request';
/** Names of parameters where the semantic conventions have others than OpenAI's chat API. */
const NAMES: Readonly<Record<string, string>> = { stop_sequences: 'stop', 'choice.count': 'n' };
/** What is no parameter, or is read by itself. */
const OTHERS = new Set(['model', 'messages', 'tools', 'encoding_formats']);
/** What clients write for a parameter that was not set. */
const UNSET = 'Infinity';

/**
 * Parameters of a request to a model, such as `temperature`: of `gen_ai.request.*`, of OpenInference's
 * `llm.invocation_parameters` and of Langfuse's `langfuse.observation.model.parameters`. The attributes stay.
 */
export function readParameters(attributes: AttributeReader): JsonObject {
  const parameters: JsonObject = {};
  const put = (name: string, value: JsonValue) => {
    const named = Object.hasOwn(NAMES, name) ? (NAMES[name] as string) : name;
    if (value !== null && value !== UNSET && !OTHERS.has(named) && !named.includes('.'))
      setKey(parameters, named, value);
  };
  for (const whole of ['llm.invocation_parameters', 'langfuse.observation.model.parameters']) {
    const value = unquotedText(attributes.peek(whole));
    if (isJsonObject(value)) for (const name of Object.keys(value)) put(name, value[name] as JsonValue);
  }
  for (const [name, value] of attributes.startingWith(REQUEST)) put(name, value);
  return parameters;
}

/** The model that was asked for, where a vocabulary names it among the parameters. */
export function modelAmongParameters(attributes: AttributeReader): string | null {
  const value = unquotedText(attributes.peek('llm.invocation_parameters'));
  const model = isJsonObject(value) && Object.hasOwn(value, 'model') ? value['model'] : null;
  return typeof model === 'string' && model !== '' ? model : null;
}
