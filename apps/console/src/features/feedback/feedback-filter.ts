import type { UsersNamed } from '../../shared/data/usernames.js';

/** Kinds of feedback that one looks for, each by a part of the type; of thumbs also by what they are. */
export const KINDS = {
  up: { label: 'Thumbs up', part: 'hone.reaction.', emoji: '👍' },
  down: { label: 'Thumbs down', part: 'hone.reaction.', emoji: '👎' },
  reaction: { label: 'Thumbs and emoji', part: 'hone.reaction.' },
  note: { label: 'Notes', part: 'hone.note.' },
  annotation: { label: 'Annotations', part: 'hone.annotation.' },
  runnable: { label: 'Scorers', part: 'hone.runnable.' },
  correction: { label: 'Corrections', part: 'hone.correction.' },
  preference: { label: 'Preferences', part: 'hone.preference.' },
} as const satisfies Record<string, Kind>;

interface Kind {
  readonly label: string;
  readonly part: string;
  /** Without the colour of the skin. */
  readonly emoji?: string;
}

/** What the list shows, as texts of the address; '' is any. */
export interface FeedbackFilter {
  /** A key of `KINDS`. */
  readonly kind: string;
  /** A part of the type. */
  readonly type: string;
  /** A part of the name of who gave it: of a user, or of the creator that a client has set. */
  readonly by: string;
  /** The users that `by` names. */
  readonly users: UsersNamed;
}

/** The condition of `POST /feedback/query`; null: none. */
export function toFeedbackQuery({ kind, type, by, users }: FeedbackFilter): object | null {
  const chosen: Kind | null = Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS] : null;
  const parts = [chosen?.part ?? '', type.trim()].filter(Boolean);
  const conditions = parts.map((part) => contains('feedback_type', part));
  if (chosen?.emoji) conditions.push({ $eq: [{ $getField: 'payload.detoned' }, { $literal: chosen.emoji }] });
  if (by.trim() !== '') conditions.push(isBy(by.trim(), users));
  return conditions.length === 0 ? null : { $expr: { $and: conditions } };
}

function isBy(name: string, { ids, end }: UsersNamed): object {
  const ofUsers = ids.length > 0 ? [{ $in: [{ $getField: 'svc_user_id' }, ids.map(literal)] }] : [];
  return { $or: [contains('creator', name), ...ofUsers, ...(end === '' ? [] : [contains('svc_user_id', end)])] };
}

const literal = (text: string): object => ({ $literal: text });

const contains = (field: string, part: string): object => ({
  $contains: { input: { $getField: field }, substr: literal(part), case_insensitive: true },
});
