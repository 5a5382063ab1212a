import { parseRef } from '../../shared/data/refs.js';
import type { Feedback } from '../../shared/feedback/feedback.js';

/** What one annotator said of one call. */
export interface Rating {
  readonly userId: string;
  readonly value: unknown;
  readonly createdAt: string;
}

/** The newest rating of each annotator, by the id of the call. @param records in any order */
export function toRatings(records: readonly Feedback[]): ReadonlyMap<string, readonly Rating[]> {
  const newest = new Map<string, Map<string, Rating>>();
  for (const { trace_ref, svc_user_id, payload, created_at } of records) {
    const callId = parseRef(trace_ref)?.name ?? '';
    const ofCall = newest.get(callId) ?? new Map<string, Rating>();
    newest.set(callId, ofCall);
    const known = ofCall.get(svc_user_id);
    if (known !== undefined && known.createdAt > created_at) continue;
    ofCall.set(svc_user_id, { userId: svc_user_id, value: payload['value'], createdAt: created_at });
  }
  return new Map([...newest].map(([callId, ratings]) => [callId, [...ratings.values()]]));
}
