import type { LlamaConfig } from '../model/config/llama-config.js';
import { type ProjectionName, projectionPath } from '../model/config/projections.js';
import { tensorShapes } from '../model/config/tensor-shapes.js';
import { type LoraScaling, storedRankOf } from './lora-variant.js';
import { ParameterLayout } from './parameter-layout.js';

export { PROJECTIONS, projectionPath, type ProjectionName } from '../model/config/projections.js';

/** Low-rank adapters beside frozen matrices. Source: Hu et al., "LoRA" (2021). */
interface LoraSettings extends LoraScaling {
  /** Names of projections, for example `q_proj`. */
  readonly targets: readonly ProjectionName[];
}

/** What is trained: every weight of the model, or adapters alone. */
export type TrainedPart = { readonly kind: 'full' } | { readonly kind: 'lora'; readonly lora: LoraSettings };

export const EMBEDDING = 'model.embed_tokens.weight';
export const FINAL_NORM = 'model.norm.weight';
export const HEAD = 'lm_head.weight';

/** The layout of the flat vector that a run trains. */
export function trainedLayout(config: LlamaConfig, part: TrainedPart): ParameterLayout {
  const shapes = tensorShapes(config);
  if (part.kind === 'full') return new ParameterLayout([...shapes].map(([name, shape]) => ({ name, shape })));
  const { targets } = part.lora;
  const rank = storedRankOf(part.lora);
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
