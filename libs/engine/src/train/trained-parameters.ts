import type { LlamaConfig } from '../model/llama-config.js';
import { tensorShapes } from '../model/tensor-shapes.js';
import { ParameterLayout } from './parameter-layout.js';

/** Low-rank adapters beside frozen matrices. Source: Hu et al., "LoRA" (2021). */
interface LoraSettings {
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

/** The layout of the flat vector that a run trains. */
export function trainedLayout(config: LlamaConfig, part: TrainedPart): ParameterLayout {
  const shapes = tensorShapes(config);
  if (part.kind === 'full') return new ParameterLayout([...shapes].map(([name, shape]) => ({ name, shape })));
  const { rank, targets } = part.lora;
  const layers = Array.from({ length: config.numLayers }, (_, layer) => layer);
  return new ParameterLayout(
    layers.flatMap((layer) =>
      targets.flatMap((projection) => {
        const path = projectionPath(layer, projection);
        const [rows, columns] = shapes.get(`${path}.weight`) as readonly [number, number];
        return [
          { name: `${path}.lora_A.weight`, shape: [rank, columns] },
          { name: `${path}.lora_B.weight`, shape: [rows, rank] },
        ];
      }),
    ),
  );
}
