import type { RedactionDto } from '@hone/contracts';
import type { Task } from '@hone/threads';

import { type EntryTexts, type RedactedTexts, redactEntry, withoutTokens } from './redact-entry.js';

export interface RedactionJob {
  readonly rules: RedactionDto;
  readonly texts: EntryTexts;
  /** Another part of the call has changed. */
  readonly isChanged: boolean;
}

/** Null: they could not be read. Nobody may see why, the error could quote the text. */
export const TASK: Task<RedactionJob, RedactedTexts | null> = {
  module: import.meta.url,
  run({ rules, texts, isChanged }) {
    try {
      const done = redactEntry(rules, texts);
      const hasChanged = isChanged || done.hasChanged;
      const { output } = done;
      return { ...done, hasChanged, output: hasChanged && output !== null ? withoutTokens(output) : output };
    } catch {
      return null;
    }
  },
};
