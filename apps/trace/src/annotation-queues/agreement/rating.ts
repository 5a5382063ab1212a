/** How the values of ratings compare. */
export type RatingLevel = 'nominal' | 'ordinal' | 'interval';

/** What one annotator said of an item. */
export interface Rating {
  annotator: string;
  /** Equal texts are equal values; a number is one that `Number` reads. */
  value: string;
}

/** Ratings of one item, at most one for each annotator. */
export interface RatedItem {
  id: string;
  ratings: readonly Rating[];
}
