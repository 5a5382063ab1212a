import { isJsonObject, parseJson } from '@hone/client';

import { prettyJson } from '../../../shared/format/preview.js';
import { toSettings } from '../../../shared/settings/settings.js';

/** Parameters of a chat as somebody fills them in. */
export interface FilledIn {
  readonly numbers: Readonly<Record<string, string>>;
  /** JSON list of tools, or nothing. */
  readonly tools: string;
  /** JSON Schema that the answer obeys, or a whole `response_format` with one; or nothing. */
  readonly schema: string;
  /** JSON object of any others, or nothing. */
  readonly others: string;
  /** Whether the probabilities of tokens are asked for. */
  readonly isProbable: boolean;
}

/** Alternatives that are asked for each token. */
export const LIKELIEST = 5;

/** @throws Error a sentence that says what cannot be read */
export function toRequest({ numbers, tools, schema, others, isProbable }: FilledIn): Readonly<Record<string, unknown>> {
  return {
    ...toSettings(numbers, others),
    ...(tools.trim() !== '' && { tools: toTools(tools) }),
    ...(schema.trim() !== '' && { response_format: toFormat(schema) }),
    ...(isProbable && { logprobs: true, top_logprobs: LIKELIEST }),
  };
}

/** A list of tools; one alone, or a bare function, is taken for a list of it. */
function toTools(text: string): readonly unknown[] {
  const value = read(text, 'The tools are');
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (!list.every(isJsonObject)) throw new Error('A tool is a JSON object, such as {"name": "add", "parameters": {}}.');
  return list.map((tool) => ('function' in tool ? tool : { type: 'function', function: tool }));
}

/** Name of a schema that was filled in without one. */
export const SCHEMA_NAME = 'answer';

function toFormat(text: string): object {
  const schema = read(text, 'The schema is');
  if (!isJsonObject(schema)) throw new Error('A schema is a JSON object, such as {"type": "object"}.');
  // A schema cannot have this type.
  if (schema['type'] === 'json_schema') return schema;
  return { type: 'json_schema', json_schema: { name: SCHEMA_NAME, schema } };
}

function read(text: string, what: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${what} no JSON: ${(error as Error).message}.`, { cause: error });
  }
}

/** The others with one more of them, which is then to be filled in. A text that is no object stays as it is. */
export function withParameter(others: string, name: string, value: unknown): string {
  try {
    const before = others.trim() === '' ? {} : parseJson(others);
    return isJsonObject(before) ? prettyJson({ ...before, [name]: value }) : others;
  } catch {
    return others;
  }
}
