import type { TrainSequence } from '@hone/engine';

import type { Reduction } from '../configuration/engine-settings.js';
import type { Datum } from '../wire/forward-backward.js';

/** The sequences of a row that one request sends. */
export interface Batch {
  /** Index in the row of its first sequence. */
  readonly first: number;
  /** Sequences of the row in it. */
  readonly count: number;
  /** Sequences with padding: a power of two, as every other number would be compiled anew by some servers. */
  readonly size: number;
}

/** Splits `count` sequences into batches of at most `maxBatch`, which is a power of two. */
export function planBatches(count: number, maxBatch: number): Batch[] {
  return Array.from({ length: Math.ceil(count / maxBatch) }, (_, index) => {
    const first = index * maxBatch;
    const here = Math.min(maxBatch, count - first);
    return { first, count: here, size: 2 ** Math.ceil(Math.log2(here)) };
  });
}

/** The data of a forward pass: which positions count does not matter. */
export function forwardData(row: readonly TrainSequence[], batch: Batch): Datum[] {
  return padded(row, batch, (sequence) => ({ weights: atTrained(sequence, () => 1) }));
}

/**
 * The data of a backward pass whose gradient, over all batches of the row, is the sum of coefficient * gradient of the
 * log-probability.
 *
 * A server that sums takes the coefficients as weights of its cross entropy. One that takes means of sequences gets
 * them as advantages of CISPO, whose ratio a clip range of [1, 1] keeps at 1, multiplied by what it divides by: the
 * trained tokens of the sequence, and all sequences of the step, padding included.
 */
export function backwardData(
  row: readonly TrainSequence[],
  batch: Batch,
  coefficients: readonly ArrayLike<number>[],
  reduction: Reduction,
  sequencesOfStep: number,
): Datum[] {
  return padded(row, batch, (sequence, index): Record<string, Float32Array> => {
    const of = coefficients[index] as ArrayLike<number>;
    if (reduction === 'sum') return { weights: atTrained(sequence, (at) => of[at] as number) };
    const scale = sequence.trained.length * sequencesOfStep;
    return {
      weights: atTrained(sequence, () => 1),
      advantages: atTrained(sequence, (at) => (of[at] as number) * scale),
      logprobs: atTrained(sequence, () => 0),
    };
  });
}

/** Name and settings of the server's loss that {@link backwardData} is for. */
export const backwardLoss = (reduction: Reduction) =>
  reduction === 'sum'
    ? ({ lossFn: 'cross_entropy' } as const)
    : ({ lossFn: 'cispo', lossFnConfig: { clip_low_threshold: 1, clip_high_threshold: 1 } } as const);

/** Values of the trained tokens out of those of all positions. */
export const ofTrained = ({ trained }: Pick<TrainSequence, 'trained'>, positions: ArrayLike<number>): Float32Array =>
  Float32Array.from({ length: trained.length }, (_, at) => positions[(trained[at] as number) - 1] as number);

function padded(
  row: readonly TrainSequence[],
  { first, count, size }: Batch,
  valuesOf: (sequence: TrainSequence, index: number) => Record<string, Float32Array>,
): Datum[] {
  const data = row.slice(first, first + count).map((sequence, index): Datum => {
    const ids = Int32Array.from(sequence.ids);
    return { tokens: ids.slice(0, -1), targets: ids.slice(1), values: valuesOf(sequence, first + index) };
  });
  const [model] = data;
  if (model === undefined) return data;
  const padding: Datum = {
    tokens: model.tokens.slice(0, 1),
    targets: model.targets.slice(0, 1),
    values: Object.fromEntries(Object.keys(model.values).map((name) => [name, new Float32Array(1)])),
  };
  return [...data, ...Array.from({ length: size - count }, () => padding)];
}

/** A value for each position; 0 where no trained token is predicted. */
function atTrained({ ids, trained }: TrainSequence, valueOf: (at: number) => number): Float32Array {
  const values = new Float32Array(ids.length - 1);
  for (let at = 0; at < trained.length; at++) values[(trained[at] as number) - 1] = valueOf(at);
  return values;
}
