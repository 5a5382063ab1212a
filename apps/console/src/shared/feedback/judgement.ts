/** A rating with tags, as the interface takes it. */
export interface Judgement {
  readonly feedback_type: string;
  readonly payload: object;
  readonly scorer_ratings?: Readonly<Record<string, number>>;
  readonly scorer_tags?: readonly string[];
}

/** @returns null: there is neither a rating nor a tag, or the rating is none */
export function toJudgement(name: string, rating: string, tags: string): Judgement | null {
  const feedback_type = name.trim();
  const scorer_tags = [...new Set(tags.split(',').map((tag) => tag.trim()))].filter(Boolean);
  const isRated = rating.trim() !== '';
  const value = Number(rating);
  if (feedback_type === '' || (!isRated && scorer_tags.length === 0)) return null;
  if (isRated && !(value >= 0 && value <= 1)) return null;
  return {
    feedback_type,
    payload: {},
    ...(isRated && { scorer_ratings: { [feedback_type]: value } }),
    ...(scorer_tags.length > 0 && { scorer_tags }),
  };
}
