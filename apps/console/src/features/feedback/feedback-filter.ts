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
}

/** The condition of `POST /feedback/query`; null: none. */
export function toFeedbackQuery({ kind, type }: FeedbackFilter): object | null {
  const chosen: Kind | null = Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS] : null;
  const parts = [chosen?.part ?? '', type.trim()].filter(Boolean);
  const conditions: object[] = parts.map((part) => ({
    $contains: { input: { $getField: 'feedback_type' }, substr: { $literal: part }, case_insensitive: true },
  }));
  if (chosen?.emoji) conditions.push({ $eq: [{ $getField: 'payload.detoned' }, { $literal: chosen.emoji }] });
  return conditions.length === 0 ? null : { $expr: { $and: conditions } };
}
