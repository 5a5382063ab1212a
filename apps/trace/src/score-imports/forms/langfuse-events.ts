import { isJsonObject, type JsonValue } from '@hone/contracts';

import type { ImportedScore } from '../imported-score.js';
import { readSent } from './read-scores.js';

/** An event of an SDK of Langfuse, which versions 3 and 4 send for each score. */
export interface SentEvent {
  /** Its own id, or its number in the batch. */
  readonly id: string;
  /** The score that it makes, with the id of the event where it has none; null: it makes none. */
  readonly score: ImportedScore | null;
  /** Why it is not taken; null: it is. */
  readonly problem: string | null;
}

/** What SDKs say about themselves: nothing is stored of it. */
const LOG = 'sdk-log';
const SCORE = 'score-create';
const NO_EVENT = 'An event is an object with an id, a type and a body.';
const OTHER = 'Only scores are taken here: SDKs from version 3 on send spans by OpenTelemetry.';

export function readEvent(sent: JsonValue, at: number): SentEvent {
  const { id, type, body } = isJsonObject(sent) ? sent : {};
  const name = typeof id === 'string' ? id : String(at);
  const without = (problem: string | null): SentEvent => ({ id: name, score: null, problem });
  if (typeof id !== 'string' || typeof type !== 'string') return without(NO_EVENT);
  if (type === LOG) return without(null);
  if (type !== SCORE) return without(OTHER);
  const fields = isJsonObject(body) ? body : {};
  const score = readSent({ ...fields, id: fields['id'] ?? id });
  return 'problem' in score ? without(score.problem) : { id, score, problem: null };
}
