import { Tensor } from 'onnxruntime-node';

import type { AdamWSettings } from './adam-w.js';
import type { Feeds } from './micro-batch-feeds.js';
import type { MicroBatch } from './micro-batches.js';
import type { TrainSequence } from './train-sequence.js';
import type { TrainState } from './train-state.js';

export const vector = (data: Float32Array) => new Tensor('float32', data, [data.length]);
const number = (value: number) => new Tensor('float32', Float32Array.of(value), []);
export const floats = (results: Feeds, name: string) => results[name]?.data as Float32Array<ArrayBuffer>;
export const scalar = (results: Feeds, name: string) => Number(results[name]?.data[0]);

/** What AdamW takes besides parameters and gradient for the update after `state`. */
export function updateFeeds({ beta1, beta2 }: AdamWSettings, state: TrainState, learningRate: number): Feeds {
  const updates = state.updates + 1;
  return {
    firstMoment: vector(state.firstMoment),
    secondMoment: vector(state.secondMoment),
    learningRate: number(learningRate),
    correction1: number(1 - beta1 ** updates),
    correction2: number(1 - beta2 ** updates),
  };
}

/** The state in the results of a graph that ends with AdamW. */
export const updatedState = (results: Feeds, { updates }: TrainState): TrainState => ({
  parameters: floats(results, 'newParameters'),
  firstMoment: floats(results, 'newFirstMoment'),
  secondMoment: floats(results, 'newSecondMoment'),
  updates: updates + 1,
});

type PartOf = (output: string) => Float32Array;

/** Calls `take` for each member of a batch with its index in the row and its part of each per-token output. */
export function splitTokens(
  row: readonly TrainSequence[],
  batch: MicroBatch,
  results: Feeds,
  take: (index: number, part: PartOf) => void,
): void {
  let start = 0;
  for (const index of batch.members) {
    const [from, to] = [start, start + (row[index] as TrainSequence).trained.length];
    take(index, (output) => floats(results, output).subarray(from, to));
    start = to;
  }
}
