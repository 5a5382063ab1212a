/** Kinds of feedback that one looks for, each by a part of the type. */
export const KINDS = {
  reaction: { label: 'Thumbs and emoji', part: 'hone.reaction.' },
  note: { label: 'Notes', part: 'hone.note.' },
  annotation: { label: 'Annotations', part: 'hone.annotation.' },
  runnable: { label: 'Scorers', part: 'hone.runnable.' },
  correction: { label: 'Corrections', part: 'hone.correction.' },
} as const;

/** What the list shows, as texts of the address; '' is any. */
export interface FeedbackFilter {
  /** A key of `KINDS`. */
  readonly kind: string;
  /** A part of the type. */
  readonly type: string;
}

/** The condition of `POST /feedback/query`; null: none. */
export function toFeedbackQuery({ kind, type }: FeedbackFilter): object | null {
  const parts = [Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS].part : '', type.trim()].filter(Boolean);
  if (parts.length === 0) return null;
  const conditions = parts.map((part) => ({
    $contains: { input: { $getField: 'feedback_type' }, substr: { $literal: part }, case_insensitive: true },
  }));
  return { $expr: { $and: conditions } };
}
