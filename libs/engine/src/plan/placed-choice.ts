import type { PlanLoc } from './plan.errors.js';
import type { ChoiceInput } from './trajectory-input.js';

/** A Choice and its position in the history. */
export interface PlacedChoice {
  readonly choice: ChoiceInput;
  readonly loc: PlanLoc;
  /** The messages before it. */
  readonly before: readonly object[];
  readonly tools: readonly unknown[] | undefined;
}
