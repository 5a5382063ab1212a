import { toStorableText } from '@hone/contracts';

import type { ImportedScore } from './imported-score.js';

/**
 * The score with U+FFFD for what columns of the database do not take: U+0000 and unpaired surrogates. Metadata and values that are
 * no texts stay: they are in payloads alone, which take any JSON.
 */
export function storableScore(score: ImportedScore): ImportedScore {
  const { id, traceId, spanId, name, value, comment, creator, timestamp } = score;
  return {
    ...score,
    ...{ id: storable(id), traceId: storable(traceId), spanId: storable(spanId), name: toStorableText(name) },
    value: typeof value === 'string' ? toStorableText(value) : value,
    ...{ comment: storable(comment), creator: storable(creator), timestamp: storable(timestamp) },
  };
}

const storable = (text: string | null): string | null => (text === null ? null : toStorableText(text));
