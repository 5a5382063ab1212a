import { isDeeperThan, isJsonObject, type JsonObject, type JsonValue, tryParseJson } from '@hone/json';

import type { Lines } from './each-line.js';
import { BadPromptLineError, EmptyDataError, type Finding, TooManyPromptsError } from './plan.errors.js';

const MAX_PROMPTS = 100_000;
const MAX_LEVELS = 64;
const MAX_MESSAGES = 10_000;

/** What a model is asked in a job that samples its own rollouts. */
export interface PromptLine {
  /** All columns, with their numbers as they were written. */
  readonly row: JsonObject;
  readonly messages: readonly JsonValue[];
}

/**
 * Texts of the lines that are prompts. Blank lines are skipped.
 *
 * @throws BadPromptLineError after the last line, with the numbers of all such lines
 * @throws EmptyDataError, TooManyPromptsError
 */
export async function readPromptLines(lines: Lines): Promise<string[]> {
  const found: string[] = [];
  const bad: Finding[] = [];
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line !== null && line.trim() === '') continue;
    const text = number === 1 ? (line?.replace(/^\ufeff/, '') ?? null) : line;
    const prompt = text === null ? 'not valid UTF-8' : readPromptLine(text);
    if (typeof prompt === 'string') bad.push({ loc: ['line', number], detail: prompt });
    else found.push(text as string);
    if (found.length > MAX_PROMPTS) throw new TooManyPromptsError(MAX_PROMPTS);
  }
  if (bad.length > 0) throw new BadPromptLineError(bad);
  if (found.length === 0) throw new EmptyDataError();
  return found;
}

/** Returns the prompt of a line, or a few words that say what is wrong with it. */
export function readPromptLine(line: string): PromptLine | string {
  const row = tryParseJson(line);
  if (row === undefined || !isJsonObject(row)) return 'not a JSON object';
  if (isDeeperThan(row, MAX_LEVELS)) return `nested deeper than ${MAX_LEVELS} levels`;
  const { messages, prompt } = row;
  if (messages === undefined && typeof prompt === 'string')
    return { row, messages: [{ role: 'user', content: prompt }] };
  if (!Array.isArray(messages) || messages.length === 0) return 'neither messages nor a prompt';
  if (messages.length > MAX_MESSAGES) return `more than ${MAX_MESSAGES} messages`;
  const isMessage = (one: JsonValue) => isJsonObject(one) && typeof one['role'] === 'string';
  return messages.every(isMessage) ? { row, messages } : 'a message has no role';
}
