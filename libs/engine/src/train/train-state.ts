/** All that a run carries from step to step. The vectors follow the layout of the trained parameters. */
export interface TrainState {
  readonly parameters: Float32Array;
  readonly firstMoment: Float32Array;
  readonly secondMoment: Float32Array;
  /** Optimiser steps taken with these moments. */
  readonly updates: number;
}

/** Fresh moments for parameters that have none yet. */
export function freshState(parameters: Float32Array): TrainState {
  const zeros = () => new Float32Array(parameters.length);
  return { parameters, firstMoment: zeros(), secondMoment: zeros(), updates: 0 };
}

/** A copy of the state in memory of its own. */
export const copyState = (state: TrainState): TrainState => withVectors(state, (vector) => vector.slice());

/** The state with each of its vectors changed. */
export function withVectors(
  { parameters, firstMoment, secondMoment, updates }: TrainState,
  change: (vector: Float32Array) => Float32Array,
): TrainState {
  return {
    parameters: change(parameters),
    firstMoment: change(firstMoment),
    secondMoment: change(secondMoment),
    updates,
  };
}
