import { type JsonObject, type JsonValue, memberOf, PROMPT_VARIABLE, stringifyJson } from '@hone/contracts';
import { tryParseJson } from '@hone/json';

import { requestOf, variablesOf } from '../../runs/row-request.js';
import type { PromptEditPlan } from '../prompt-edit.record.js';

/** Characters of a filled prompt: a variable may stand in many places. */
const MAX_FILLED = 4 * 1_048_576;

/**
 * The body that asks a row with the messages of a prompt that is not stored, as the gateway would fill it.
 *
 * @returns `missing`: what the row lacks; `isTooLarge`: the filled prompt is
 */
export function filledRequest(
  { model, parameters }: Pick<PromptEditPlan, 'model' | 'parameters'>,
  messages: JsonObject[],
  row: JsonObject,
  seed: number,
): JsonObject | { readonly missing: string } | { readonly isTooLarge: true } {
  const prompt = { objectId: '', digest: '', variables: variablesOf(messages) };
  const { prompt: named, ...body } = requestOf({ asked: model, prompt, parameters }, row, seed) as JsonObject;
  if ('missing' in body && !('messages' in body)) return { missing: String(body['missing']) };
  const filled = fill(messages, memberOf(named, 'variables') as Record<string, string>);
  return filled === null
    ? { isTooLarge: true }
    : { ...body, messages: [...filled, ...(body['messages'] as JsonValue[])] };
}

/** What a variable says stays within the text where it stands, and is not filled itself. @returns null: too large */
function fill(messages: JsonObject[], variables: Readonly<Record<string, string>>): JsonValue[] | null {
  const json = stringifyJson(messages);
  const escaped = new Map(Object.entries(variables).map(([name, said]) => [name, JSON.stringify(said).slice(1, -1)]));
  let length = json.length;
  for (const [, name] of json.matchAll(PROMPT_VARIABLE)) length += escaped.get(name as string)?.length ?? 0;
  if (length > MAX_FILLED) return null;
  return tryParseJson(json.replaceAll(PROMPT_VARIABLE, (_all, name: string) => escaped.get(name) ?? '')) as JsonValue[];
}
