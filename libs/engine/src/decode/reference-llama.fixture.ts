import type { LlamaConfig } from '../model/llama-config.js';
import type { Weights } from '../tensor.js';

/**
 * The Llama forward pass in plain float64 loops, written from Hugging Face's `LlamaForCausalLM` and without
 * anything of the engine's, to hold the graphs against.
 *
 * @returns log-probabilities of the next token after each of `ids`
 */
export function referenceLogProbabilities(config: LlamaConfig, weights: Weights, ids: readonly number[]): number[][] {
  const matrix = (name: string) => weights.get(name)!;
  const embedding = matrix('model.embed_tokens.weight');
  const { hiddenSize } = config;
  let hidden = ids.map((id) => [...embedding.data.subarray(id * hiddenSize, (id + 1) * hiddenSize)]);
  for (let layer = 0; layer < config.numLayers; layer++) {
    const path = `model.layers.${layer}`;
    const attended = attention(
      config,
      hidden.map((row) => norm(row, matrix(`${path}.input_layernorm.weight`).data, config.rmsNormEps)),
      (name) => matrix(`${path}.self_attn.${name}_proj.weight`),
    );
    hidden = hidden.map((row, token) => plus(row, attended[token]!));
    hidden = hidden.map((row) => {
      const normed = norm(row, matrix(`${path}.post_attention_layernorm.weight`).data, config.rmsNormEps);
      const gate = times(matrix(`${path}.mlp.gate_proj.weight`), normed);
      const up = times(matrix(`${path}.mlp.up_proj.weight`), normed);
      const mixed = gate.map((value, index) => (value / (1 + Math.exp(-value))) * up[index]!);
      return plus(row, times(matrix(`${path}.mlp.down_proj.weight`), mixed));
    });
  }
  const head = config.tiedHead ? embedding : matrix('lm_head.weight');
  return hidden.map((row) => logSoftmax(times(head, norm(row, matrix('model.norm.weight').data, config.rmsNormEps))));
}

type Matrix = { data: Float32Array; shape: readonly number[] };

function attention(config: LlamaConfig, rows: number[][], matrix: (name: string) => Matrix): number[][] {
  const { numHeads, numKvHeads, headDim, ropeTheta } = config;
  const project = (name: string, turned: boolean) =>
    rows.map((row, position) => {
      const flat = times(matrix(name), row);
      return turned ? turn(flat, position, headDim, ropeTheta) : flat;
    });
  const [queries, keys, values] = [project('q', true), project('k', true), project('v', false)];
  return rows.map((_, token) => {
    const mixed: number[] = [];
    for (let head = 0; head < numHeads; head++) {
      const shared = Math.floor(head / (numHeads / numKvHeads)) * headDim;
      const query = queries[token]!.slice(head * headDim, (head + 1) * headDim);
      const scores = keys
        .slice(0, token + 1)
        .map((key) => dot(query, key.slice(shared, shared + headDim)) / Math.sqrt(headDim));
      const shares = logSoftmax(scores).map(Math.exp);
      for (let index = 0; index < headDim; index++) {
        mixed.push(shares.reduce((sum, share, past) => sum + share * values[past]![shared + index]!, 0));
      }
    }
    return times(matrix('o'), mixed);
  });
}

/** Rotates the first half of each head against the second. */
function turn(flat: number[], position: number, headDim: number, theta: number): number[] {
  const half = headDim / 2;
  return flat.map((value, at) => {
    const index = at % headDim;
    const angle = position * theta ** (-(index % half) / half);
    const other = index < half ? -flat[at + half]! : flat[at - half]!;
    return value * Math.cos(angle) + other * Math.sin(angle);
  });
}

function norm(row: number[], scale: Float32Array, epsilon: number): number[] {
  const inverse = 1 / Math.sqrt(dot(row, row) / row.length + epsilon);
  return row.map((value, index) => value * inverse * scale[index]!);
}

function times({ data, shape }: Matrix, row: number[]): number[] {
  return Array.from({ length: shape[0]! }, (_, out) =>
    row.reduce((sum, value, index) => sum + value * data[out * row.length + index]!, 0),
  );
}

const dot = (a: number[], b: number[]) => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
const plus = (a: number[], b: number[]) => a.map((value, index) => value + b[index]!);

function logSoftmax(values: number[]): number[] {
  const top = Math.max(...values);
  const log = top + Math.log(values.reduce((sum, value) => sum + Math.exp(value - top), 0));
  return values.map((value) => value - log);
}
