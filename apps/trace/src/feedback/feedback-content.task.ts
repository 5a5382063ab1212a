import { canonicalText, type JsonValue, parseJson } from '@hone/contracts';
import type { Task } from '@hone/threads';

/** All of a record but who sent it and when. */
export interface ContentTexts {
  /** JSON object of its columns, which may be null or empty there. */
  readonly columns: string;
  readonly payload: string;
}

/** A record that was sent, and the one that is stored under its id. */
export interface ContentPair {
  readonly sent: ContentTexts;
  readonly stored: ContentTexts;
}

/** Whether the records of each pair have the same content. JSON values count by their canonical text. */
export const TASK: Task<readonly ContentPair[], boolean[]> = {
  module: import.meta.url,
  run: (pairs) => pairs.map(({ sent, stored }) => canonicalOf(sent) === canonicalOf(stored)),
};

function canonicalOf({ columns, payload }: ContentTexts): string {
  const filled = Object.entries(JSON.parse(columns) as Record<string, JsonValue>).filter(
    ([, value]) => !isEmpty(value),
  );
  return canonicalText([Object.fromEntries(filled), parseJson(payload)]);
}

const isEmpty = (value: JsonValue): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);
