import type { LlamaConfig } from '../model/llama-config.js';
import { ParameterLayout } from './parameter-layout.js';

/** Low-rank adapters beside frozen matrices. Source: Hu et al., "LoRA" (2021). */
export interface LoraSettings {
  readonly rank: number;
  /** The adapter's product is multiplied by `alpha / rank`. */
  readonly alpha: number;
  /** Names of projections, for example `q_proj`. */
  readonly targets: readonly ProjectionName[];
}

export const PROJECTIONS = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const;
export type ProjectionName = (typeof PROJECTIONS)[number];

/** What is trained: every weight of the model, or adapters alone. */
export type TrainedPart = { readonly kind: 'full' } | { readonly kind: 'lora'; readonly lora: LoraSettings };

/** Rows and columns of a projection's matrix: `[out, in]`. */
export function projectionShape(config: LlamaConfig, projection: ProjectionName): [number, number] {
  const { hiddenSize, intermediateSize, headDim } = config;
  const queries = config.numHeads * headDim;
  const keys = config.numKvHeads * headDim;
  switch (projection) {
    case 'q_proj':
      return [queries, hiddenSize];
    case 'k_proj':
    case 'v_proj':
      return [keys, hiddenSize];
    case 'o_proj':
      return [hiddenSize, queries];
    case 'gate_proj':
    case 'up_proj':
      return [intermediateSize, hiddenSize];
    case 'down_proj':
      return [hiddenSize, intermediateSize];
  }
}

/** The module's path in the model, `model.layers.0.self_attn.q_proj`. */
export function projectionPath(layer: number, projection: ProjectionName): string {
  const block = ['gate_proj', 'up_proj', 'down_proj'].includes(projection) ? 'mlp' : 'self_attn';
  return `model.layers.${layer}.${block}.${projection}`;
}

export const EMBEDDING = 'model.embed_tokens.weight';
export const FINAL_NORM = 'model.norm.weight';
export const HEAD = 'lm_head.weight';
export const attentionNorm = (layer: number) => `model.layers.${layer}.input_layernorm.weight`;
export const feedForwardNorm = (layer: number) => `model.layers.${layer}.post_attention_layernorm.weight`;

/** Every weight of the model with its shape. */
export function modelTensors(config: LlamaConfig): { name: string; shape: readonly number[] }[] {
  const layers = Array.from({ length: config.numLayers }, (_, layer) => [
    { name: attentionNorm(layer), shape: [config.hiddenSize] },
    { name: feedForwardNorm(layer), shape: [config.hiddenSize] },
    ...PROJECTIONS.map((projection) => ({
      name: `${projectionPath(layer, projection)}.weight`,
      shape: projectionShape(config, projection),
    })),
  ]);
  const table = [config.vocabSize, config.hiddenSize];
  return [
    { name: EMBEDDING, shape: table },
    ...layers.flat(),
    { name: FINAL_NORM, shape: [config.hiddenSize] },
    ...(config.tiedHead ? [] : [{ name: HEAD, shape: table }]),
  ];
}

/** The layout of the flat vector that a run trains. */
export function trainedLayout(config: LlamaConfig, part: TrainedPart): ParameterLayout {
  if (part.kind === 'full') return new ParameterLayout(modelTensors(config));
  const { rank, targets } = part.lora;
  const layers = Array.from({ length: config.numLayers }, (_, layer) => layer);
  return new ParameterLayout(
    layers.flatMap((layer) =>
      targets.flatMap((projection) => {
        const [rows, columns] = projectionShape(config, projection);
        const path = projectionPath(layer, projection);
        return [
          { name: `${path}.lora_A.weight`, shape: [rank, columns] },
          { name: `${path}.lora_B.weight`, shape: [rows, rank] },
        ];
      }),
    ),
  );
}
