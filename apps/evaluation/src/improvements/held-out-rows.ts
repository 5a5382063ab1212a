import { isJsonObject, type JsonObject, type JsonValue, memberOf, stringifyJson } from '@hone/contracts';
import { tryParseJson } from '@hone/json';

/** As many decide whether ten points are gained, and are asked in minutes. */
export const MAX_ROWS = 300;
const MAX_SHARE = 1 / 3;
const MIN_SHARE = 0.01;
/** Calls that are held out, of which many may have one prompt. */
const HELD_OUT_CALLS = 1_200;

/** Share of the prompts that training does not see. @param calls of the method that uses most of them */
export const heldOutShare = (calls: number): number =>
  Math.max(MIN_SHARE, Math.min(MAX_SHARE, HELD_OUT_CALLS / Math.max(1, calls)));

/** Rows of a dataset, each prompt once, from files of training data. @param files JSON lines; what a correction says comes from the first file that has it */
export function rowsToAsk(files: readonly string[], max = MAX_ROWS): JsonObject[] {
  const rows = new Map<string, JsonObject>();
  for (const file of files)
    for (const line of file.split('\n')) {
      if (rows.size >= max) return [...rows.values()];
      const row = line === '' ? null : rowOf(tryParseJson(line));
      const key = row && stringifyJson(row['messages'] as JsonValue);
      if (row && key !== null && !rows.has(key)) rows.set(key, row);
    }
  return [...rows.values()];
}

/** Null: the line has no prompt that could be asked again. */
function rowOf(line: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(line)) return null;
  const messages = messagesOf(line);
  if (!messages || messages.length === 0) return null;
  if (isFollowed(line)) return { messages };
  const answer = messages.at(-1);
  if (memberOf(answer, 'role') !== 'assistant') return null;
  const content = memberOf(answer, 'content');
  const asked = messages.slice(0, -1);
  if (asked.length === 0) return null;
  return typeof content === 'string' ? { messages: asked, expected: content } : { messages: asked };
}

function messagesOf(line: JsonObject): JsonValue[] | null {
  const messages = line['messages'];
  if (Array.isArray(messages)) return messages;
  return typeof line['prompt'] === 'string' ? [{ role: 'user', content: line['prompt'] }] : null;
}

/** Answers stand beside what was asked, and not at its end. */
const isFollowed = (line: JsonObject): boolean => 'completion' in line || 'chosen' in line;
