import { isJsonObject, type JsonValue } from '@hone/contracts';

import type { ReadScore } from '../imported-score.js';
import { readSent } from './read-scores.js';

/** An event of an SDK of Langfuse, which versions 3 and 4 send for each score. */
export interface SentEvent {
  /** Its own id, or its number in the batch. */
  readonly id: string;
  /** The score that it makes, with the id of the event where it has none; null: it makes none. */
  readonly score: ReadScore | null;
  /** Why it is not taken; null: it is. */
  readonly problem: string | null;
}

/** What SDKs say about themselves: nothing is stored of it. */
const LOG = 'sdk-log';
const SCORE = 'score-create';
const SPANS = 'Spans of this form are not taken: SDKs from version 3 on send them by OpenTelemetry.';

export function readEvent(sent: JsonValue, at: number): SentEvent {
  const event = isJsonObject(sent) ? sent : {};
  const id = typeof event['id'] === 'string' ? event['id'] : String(at);
  if (event['type'] === LOG) return { id, score: null, problem: null };
  if (event['type'] !== SCORE) return { id, score: null, problem: SPANS };
  const body = isJsonObject(event['body']) ? event['body'] : {};
  const score = readSent({ ...body, id: body['id'] ?? id });
  return { id, score: { ...score, id: score.id ?? id }, problem: null };
}
