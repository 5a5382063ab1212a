import type { Weights } from '../tensor.js';
import type { LlamaConfig } from './config/llama-config.js';

/** Tensors by name, row by row. */
type PlainWeights = ReadonlyMap<string, ArrayLike<number>>;

/** The numbers of tensors, without their shapes. */
export const plainWeights = (weights: Weights): PlainWeights =>
  new Map(Array.from(weights, ([name, { data }]) => [name, data]));

/**
 * The decoder written as its papers have it, one number after the other in float64: slow, and independent
 * of every graph. Adapters count when `weights` holds `<path>.lora_A.weight` and `lora_B`.
 *
 * @returns log-probabilities of the token after each position, `[tokens][vocabSize]`
 */
export function plainLogProbabilities(
  config: LlamaConfig,
  weights: PlainWeights,
  ids: ArrayLike<number>,
  loraScale = 0,
): number[][] {
  const { hiddenSize, numHeads, numKvHeads, headDim } = config;
  if (config.ropeScaling !== null) throw new Error('Stretched rotary positions are not written here.');
  const get = (name: string) => weights.get(name) as ArrayLike<number>;
  const linear = (path: string, x: number[]) => {
    const result = product(get(`${path}.weight`), x);
    if (!weights.has(`${path}.lora_A.weight`)) return result;
    const adapter = product(get(`${path}.lora_B.weight`), product(get(`${path}.lora_A.weight`), x));
    return result.map((value, at) => value + loraScale * (adapter[at] as number));
  };
  const norm = (name: string, x: number[]) => {
    const root = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0) / x.length + config.rmsNormEps);
    return x.map((value, at) => (value / root) * (get(name)[at] as number));
  };
  const head = (x: number[], index: number) => x.slice(index * headDim, (index + 1) * headDim);
  const embedding = get('model.embed_tokens.weight');
  let hidden = Array.from(ids, (id) =>
    Array.from({ length: hiddenSize }, (_, at) => embedding[id * hiddenSize + at] as number),
  );
  for (let layer = 0; layer < config.numLayers; layer += 1) {
    const path = `model.layers.${layer}`;
    const inputs = hidden.map((x) => norm(`${path}.input_layernorm.weight`, x));
    const queries = inputs.map((x, at) => byHead(linear(`${path}.self_attn.q_proj`, x), numHeads, at));
    const keys = inputs.map((x, at) => byHead(linear(`${path}.self_attn.k_proj`, x), numKvHeads, at));
    const values = inputs.map((x) => linear(`${path}.self_attn.v_proj`, x));
    hidden = hidden.map((x, at) => {
      const mixed = Array.from({ length: numHeads }, (_, index) => {
        const shared = Math.floor((index * numKvHeads) / numHeads);
        const seen = keys.slice(0, at + 1);
        const query = queries[at]?.[index] as number[];
        const attention = softmax(seen.map((key) => dot(query, key[shared] as number[]) / Math.sqrt(headDim)));
        return Array.from({ length: headDim }, (_, d) =>
          attention.reduce((sum, share, t) => sum + share * (head(values[t] as number[], shared)[d] as number), 0),
        );
      });
      const attended = plus(x, linear(`${path}.self_attn.o_proj`, mixed.flat()));
      const normed = norm(`${path}.post_attention_layernorm.weight`, attended);
      const up = linear(`${path}.mlp.up_proj`, normed);
      const gated = linear(`${path}.mlp.gate_proj`, normed).map((g, i) => (g / (1 + Math.exp(-g))) * (up[i] as number));
      return plus(attended, linear(`${path}.mlp.down_proj`, gated));
    });
  }
  return hidden.map((x) => {
    const table = config.tiedHead ? embedding : get('lm_head.weight');
    return softmax(product(table, norm('model.norm.weight', x))).map(Math.log);
  });

  /** Cut into heads, each turned by its position: the first half of a head is paired with the second. */
  function byHead(x: number[], count: number, position: number): number[][] {
    const half = headDim / 2;
    return Array.from({ length: count }, (_, index) =>
      head(x, index).map((value, d, whole) => {
        const angle = position * config.ropeTheta ** (-(d % half) / half);
        const partner = d < half ? -(whole[d + half] as number) : (whole[d - half] as number);
        return value * Math.cos(angle) + partner * Math.sin(angle);
      }),
    );
  }
}

/** `[rows, x.length]` times x. */
function product(matrix: ArrayLike<number>, x: number[]): number[] {
  return Array.from({ length: matrix.length / x.length }, (_, row) =>
    x.reduce((sum, value, at) => sum + value * (matrix[row * x.length + at] as number), 0),
  );
}

const dot = (a: number[], b: number[]) => a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
const plus = (a: number[], b: number[]) => a.map((value, at) => value + (b[at] as number));

function softmax(values: number[]): number[] {
  const top = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - top));
  const total = powers.reduce((sum, value) => sum + value, 0);
  return powers.map((value) => value / total);
}
