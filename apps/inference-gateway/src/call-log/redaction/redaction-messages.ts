import type { RedactionDto } from '@hone/contracts';

import type { EntryTexts, RedactedTexts } from './redact-entry.js';

export interface RedactionJob {
  readonly id: number;
  readonly rules: RedactionDto;
  readonly texts: EntryTexts;
  /** Another part of the call has changed. */
  readonly isChanged: boolean;
}

/** `ready`: the thread has loaded its code. */
export type FromRedaction = 'ready' | RedactionAnswer;

export interface RedactionAnswer {
  readonly id: number;
  /** Null: they could not be read. */
  readonly texts: RedactedTexts | null;
}
