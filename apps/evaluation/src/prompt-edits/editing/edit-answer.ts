import { isJsonObject, isStorableJson, type JsonObject, memberOf } from '@hone/contracts';
import { tryParseJson } from '@hone/json';

import { variablesOf } from '../../runs/row-request.js';
import type { DroppedAtOnce } from '../prompt-edit.record.js';
import { editableTexts, MAX_TEXT, withTexts } from './prompt-texts.js';

/** An edit, or why the answer is none, as a sentence. */
export type ReadEdit =
  | { readonly messages: JsonObject[] }
  | { readonly dropped: DroppedAtOnce; readonly detail: string; readonly messages: JsonObject[] | null };

/** Name of a text in what the reflection model answers. @param number from 0 */
export const textName = (number: number): string => `message_${number + 1}`;

/** The form of the answer: what is wrong with the prompt, before its new texts. */
export function editSchema(messages: readonly JsonObject[]): JsonObject {
  const names = ['diagnosis', ...editableTexts(messages).map((_text, number) => textName(number))];
  const properties: JsonObject = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { type: 'object', properties, required: names, additionalProperties: false };
}

/** Reads what the reflection model answered. @param known messages of the prompts that are there, as JSON */
export function readEdit(original: JsonObject[], answer: string, known: ReadonlySet<string>): ReadEdit {
  const malformed = (detail: string, messages: JsonObject[] | null = null): ReadEdit => ({
    ...{ dropped: 'malformed', detail, messages },
  });
  const parsed = tryParseJson(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  if (!isJsonObject(parsed)) return malformed('The answer is no JSON object.');
  const texts = editableTexts(original).map((_text, number) => memberOf(parsed, textName(number)));
  const missing = texts.findIndex((text) => typeof text !== 'string' || text.trim() === '');
  if (missing >= 0) return malformed(`The answer has no text '${textName(missing)}'.`);
  const length = (texts as string[]).reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_TEXT) return malformed(`The texts have ${length} characters, more than ${MAX_TEXT}.`);
  if (!isStorableJson(texts)) return malformed('The texts have characters that cannot be stored.');
  const messages = withTexts(original, texts as string[]);
  const fault = faultOfVariables(variablesOf(original), variablesOf(messages));
  if (fault !== null) return malformed(fault, messages);
  return known.has(JSON.stringify(messages))
    ? { dropped: 'repeated', detail: 'The prompt is there already.', messages }
    : { messages };
}

/** A new variable would let the prompt read more of a row, as what is expected. */
function faultOfVariables(before: readonly string[], after: readonly string[]): string | null {
  const lost = before.find((name) => !after.includes(name));
  if (lost !== undefined) return `The variable {{${lost}}} is missing.`;
  const added = after.find((name) => !before.includes(name));
  return added === undefined ? null : `The variable {{${added.slice(0, MAX_NAMED)}}} is not one of the original.`;
}

const MAX_NAMED = 64;
