import { someNumbers } from '../autodiff/gradient-check.fixture.js';
import type { RlLoss } from '../loss/index.js';
import type { LlamaConfig } from '../model/config/llama-config.js';
import { tensorShapes } from '../model/config/tensor-shapes.js';
import type { FloatTensor, Weights } from '../tensor.js';
import type { TrainSequence } from './train-sequence.js';
import { PROJECTIONS, trainedLayout, type TrainedPart } from './trained-parameters.js';

/** Small enough for central differences over every weight; grouped queries and a head of its own. */
export const TINY_DECODER: LlamaConfig = {
  vocabSize: 11,
  hiddenSize: 8,
  intermediateSize: 10,
  numLayers: 2,
  numHeads: 4,
  numKvHeads: 2,
  headDim: 4,
  ropeTheta: 100,
  ropeScaling: null,
  rmsNormEps: 1e-5,
  tiedHead: false,
  maxPositions: 64,
  bosTokenId: 1,
  eosTokenIds: [2],
};

export const TINY_LORA = { kind: 'lora', lora: { rank: 2, alpha: 4, targets: PROJECTIONS } } as const;

export const OPTIMISER = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, maxGradientNorm: 0.1 };

export const CISPO: RlLoss = {
  kind: 'rl',
  lossFn: 'cispo',
  epsilon: 1,
  epsilonHigh: 4,
  level: 'token',
  truncation: null,
  maxRatio: null,
  maskOutsideClip: false,
  tau: 0,
};

export function tinyWeights(config: LlamaConfig = TINY_DECODER, seed = 1): Weights {
  return new Map(
    [...tensorShapes(config)].map(([name, shape], index): [string, FloatTensor] => {
      const length = shape.reduce((product, size) => product * size, 1);
      const offset = shape.length === 1 ? 1 : 0;
      const data = Float32Array.from(someNumbers(length, seed * 100 + index), (value) => offset + 0.5 * value);
      return [name, { shape, data }];
    }),
  );
}

/** Parameters to start from: the weights themselves, or adapters none of whose matrices are zero. */
export function tinyParameters(part: TrainedPart, config: LlamaConfig = TINY_DECODER): Float32Array {
  const layout = trainedLayout(config, part);
  if (part.kind === 'full') return layout.flatten(tinyWeights(config));
  return Float32Array.from(someNumbers(layout.size, 5), (value) => value * 0.3);
}

/** Three sequences of different lengths, with old log-probabilities near and far, and one unknown. */
export function tinyRow(): TrainSequence[] {
  const sequence = (length: number, first: number, seed: number): TrainSequence => {
    const count = length - first;
    const numbers = (offset: number) => someNumbers(count, seed * 10 + offset);
    return {
      ids: someNumbers(length, seed).map((value) => Math.floor(((value + 1) / 2) * TINY_DECODER.vocabSize)),
      trained: Array.from({ length: count }, (_, at) => first + at),
      weight: numbers(1).map((value) => 0.1 + 0.05 * value),
      advantage: numbers(2),
      old: numbers(3).map((value, at) => (seed === 2 && at === 1 ? NaN : -2.3 + value)),
      drift: numbers(4).map((value, at) => (at === 0 ? NaN : Math.exp(value))),
    };
  };
  return [sequence(7, 3, 1), sequence(5, 2, 2), sequence(9, 4, 3)];
}
