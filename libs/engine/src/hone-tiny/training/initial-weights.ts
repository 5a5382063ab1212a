import type { LlamaConfig } from '../../model/config/llama-config.js';
import { tensorShapes } from '../../model/config/tensor-shapes.js';
import type { FloatTensor, Weights } from '../../tensor.js';
import { Random } from '../random.js';

const DEVIATION = 0.02;
const STEPS = 1 << 30;

/**
 * Normal weights of deviation 0.02 and norms of 1; what writes into the residual stream is smaller with
 * the depth. Source: Radford et al., "Language Models are Unsupervised Multitask Learners" (2019), section 2.3.
 */
export function initialWeights(config: LlamaConfig, seed: number): Weights {
  const residual = DEVIATION / Math.sqrt(2 * config.numLayers);
  return new Map(
    [...tensorShapes(config)].map(([name, shape]): [string, FloatTensor] => {
      const length = shape.reduce((product, size) => product * size, 1);
      if (shape.length === 1) return [name, { shape, data: new Float32Array(length).fill(1) }];
      const normal = normalNumbers(Random.of(seed, `initial weights/${name}`));
      const deviation = /o_proj|down_proj/.test(name) ? residual : DEVIATION;
      return [name, { shape, data: Float32Array.from({ length }, () => normal() * deviation) }];
    }),
  );
}

/** Standard normal numbers by the Box-Muller transform. */
function normalNumbers(random: Random): () => number {
  const uniform = () => random.between(1, STEPS) / STEPS;
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
