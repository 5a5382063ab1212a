/**
 * A mean's interval from a confidence sequence: with the chance `level` it holds the mean at every look, so that one may
 * look, and stop, whenever one likes.
 */
export interface SequenceLook {
  /** How many values were seen. */
  readonly count: number;
  /** Mean of the values. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}
