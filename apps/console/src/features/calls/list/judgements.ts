import type { FeedbackRecordDto } from '@hone/client';

import { parseRef } from '../../../shared/data/refs.js';
import { NOTE, REACTION } from '../../../shared/feedback/feedback.js';

/** What is read of feedback: not its whole payload, which may be a corrected answer. */
export const FEEDBACK_FIELDS = ['id', 'trace_ref', 'feedback_type', 'payload.emoji', 'scorer_ratings'];

/** What was said of a call, at a glance. */
export interface CallJudgements {
  /** Emoji -> how often. */
  readonly reactions: ReadonlyMap<string, number>;
  readonly notes: number;
  /** Name of a rating -> its values, each 0 to 1. */
  readonly ratings: ReadonlyMap<string, readonly number[]>;
}

/** By ids of calls. */
export function toJudgements(records: readonly FeedbackRecordDto[]): ReadonlyMap<string, CallJudgements> {
  const byCall = new Map<string, CallJudgements>();
  for (const record of records) {
    const id = parseRef(record.trace_ref)?.name;
    if (id === undefined) continue;
    byCall.set(id, withRecord(byCall.get(id) ?? NOTHING, record));
  }
  return byCall;
}

const NOTHING: CallJudgements = { reactions: new Map(), notes: 0, ratings: new Map() };

function withRecord(before: CallJudgements, record: FeedbackRecordDto): CallJudgements {
  const { reactions, notes, ratings } = before;
  const emoji = (record as { 'payload.emoji'?: unknown })['payload.emoji'];
  if (record.feedback_type === REACTION)
    return typeof emoji === 'string'
      ? { ...before, reactions: new Map(reactions).set(emoji, (reactions.get(emoji) ?? 0) + 1) }
      : before;
  const rated = new Map(ratings);
  for (const [name, value] of Object.entries(record.scorer_ratings ?? {}))
    if (typeof value === 'number') rated.set(name, [...(rated.get(name) ?? []), value]);
  return { reactions, notes: notes + (record.feedback_type === NOTE ? 1 : 0), ratings: rated };
}

const MOST_NAMED = 3;

/** `👍 2 👎 · quality 0.75 · passed · 1 note`. */
export function printJudgements({ reactions, notes, ratings }: CallJudgements): string {
  const reacted = [...reactions].map(([emoji, count]) => (count === 1 ? emoji : `${emoji} ${count}`)).join(' ');
  const rated = [...ratings].slice(0, MOST_NAMED).map(([name, values]) => printRating(name, values));
  return [reacted, ...rated, notes > 0 ? `${notes} ${notes === 1 ? 'note' : 'notes'}` : ''].filter(Boolean).join(' · ');
}

/** What checks find is said in words: `failed`, or `passed 2 of 3` where several have looked. */
function printRating(name: string, values: readonly number[]): string {
  if (name !== 'passed' || values.some((value) => value !== 0 && value !== 1)) return `${name} ${meanOf(values)}`;
  const passed = values.filter((value) => value === 1).length;
  if (values.length > 1) return `passed ${passed} of ${values.length}`;
  return passed === 1 ? 'passed' : 'failed';
}

const meanOf = (values: readonly number[]): string =>
  String(Math.round((100 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 100);
