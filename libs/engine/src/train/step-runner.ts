import type { LateWeights, RankedTokenScores, TokenScores, TrainSequence } from './train-sequence.js';
import type { TrainState } from './train-state.js';

/** What one optimiser step computed. Nothing in it has been checked to be finite. */
export interface RunnerStep {
  readonly loss: number;
  readonly gradientNorm: number;
  /** In the order of the row's sequences. */
  readonly scores: readonly TokenScores[];
  /** Valid until the step after the next one: its memory may be used again. */
  readonly state: TrainState;
}

/** Computes the passes of a trainer over one model; it holds the frozen weights, and no state of the training. */
export interface StepRunner {
  /** Opens the graphs for these rows, so that the steps only compute. */
  prepare(rows: readonly (readonly Pick<TrainSequence, 'ids'>[])[]): Promise<void>;
  score(parameters: Float32Array, row: readonly TrainSequence[]): Promise<RankedTokenScores[]>;
  step(state: TrainState, row: readonly TrainSequence[], learningRate: number): Promise<RunnerStep>;
  /**
   * A step whose weights are computed between its forward and its backward pass. Null, or absent: this runner cannot take
   * it, for this row or at all.
   */
  stepWeighed?(
    state: TrainState,
    row: readonly TrainSequence[],
    weights: LateWeights,
    learningRate: number,
  ): Promise<RunnerStep> | null;
  release(): Promise<void>;
}
