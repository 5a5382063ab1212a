import type { LlamaConfig } from '../../model/llama-config.js';
import { projectionPath, type ProjectionName } from '../../train/trained-parameters.js';
import { layerInput, type ProductName, PRODUCTS } from '../graph/decoder-tensors.js';

/**
 * Layers whose adapters share inputs. An input costs 6 µs a run whatever is in it, and apart there were 330 of them, a
 * tenth of a step of a model of 135 million parameters. The graph cuts them up, in copies that few layers need at once.
 */
const LAYERS_TOGETHER = 6;

/** Where the adapters of one part of some layers are fed. */
export interface AdapterPlace {
  /** In the inputs one below the other. */
  readonly layers: readonly number[];
  readonly projections: readonly ProjectionName[];
  /**
   * Input `[layers x ranks of all projections, in]`: of each layer the matrices A below each other, projection by
   * projection.
   */
  readonly a: string;
  /** Inputs of the matrices B, transposed, per projection: `[layers x its ranks, out]`. */
  readonly b: readonly string[];
}

/** The place of a layer's part. */
export function adapterPlace({ numLayers }: LlamaConfig, part: ProductName, layer: number): AdapterPlace {
  const first = layer - (layer % LAYERS_TOGETHER);
  const count = Math.min(LAYERS_TOGETHER, numLayers - first);
  const projections = PRODUCTS[part];
  return {
    layers: Array.from({ length: count }, (_, index) => first + index),
    projections,
    a: `${layerInput(first, part)}.a`,
    b: projections.map((name) => `${layerInput(first, part)}.${name}.b`),
  };
}

/** Input `[tokens, ranks of all projections]` of a product: `alpha / rank` where the adapter is the token's own, else 0. */
export const selectOf = (part: ProductName): string => `select.${part}`;

/** Name of the dimension: ranks of all adapters in use that change a projection. */
export const ranksOf = (projection: ProjectionName): string => `ranks.${projection}`;

export function adapterPlaces(config: LlamaConfig): AdapterPlace[] {
  const parts = Object.keys(PRODUCTS) as ProductName[];
  const places: AdapterPlace[] = [];
  for (let first = 0; first < config.numLayers; first += LAYERS_TOGETHER) {
    places.push(...parts.map((part) => adapterPlace(config, part, first)));
  }
  return places;
}

/** Names of the base model's matrices of one part of a layer, in the order of its columns. */
export const sourcesOf = (layer: number, part: ProductName): string[] =>
  PRODUCTS[part].map((name) => `${projectionPath(layer, name)}.weight`);
