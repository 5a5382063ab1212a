import type { LlamaConfig } from '../../model/llama-config.js';
import { projectionPath, type ProjectionName } from '../../train/trained-parameters.js';
import { layerInput, type ProductName, PRODUCTS } from '../graph/decoder-tensors.js';

/** Where the adapters of one part of a layer are fed. */
export interface AdapterPlace {
  readonly layer: number;
  readonly projections: readonly ProjectionName[];
  /** Input `[ranks of all projections, in]`: the matrices A below each other, projection by projection. */
  readonly a: string;
  /** Inputs of the matrices B, transposed, per projection: `[its ranks, out]`. */
  readonly b: readonly string[];
}

export function adapterPlace(layer: number, part: ProductName): AdapterPlace {
  const projections = PRODUCTS[part];
  return {
    layer,
    projections,
    a: `${layerInput(layer, part)}.a`,
    b: projections.map((name) => `${layerInput(layer, part)}.${name}.b`),
  };
}

/** Input `[tokens, ranks of all projections]` of a product: `alpha / rank` where the adapter is the token's own, else 0. */
export const selectOf = (part: ProductName): string => `select.${part}`;

/** Name of the dimension: ranks of all adapters in use that change a projection. */
export const ranksOf = (projection: ProjectionName): string => `ranks.${projection}`;

export function adapterPlaces({ numLayers }: LlamaConfig): AdapterPlace[] {
  const layers = Array.from({ length: numLayers }, (_, layer) => layer);
  return layers.flatMap((layer) => (Object.keys(PRODUCTS) as ProductName[]).map((part) => adapterPlace(layer, part)));
}

/** Names of the base model's matrices of one part, in the order of its columns. */
export const sourcesOf = ({ layer, projections }: AdapterPlace): string[] =>
  projections.map((name) => `${projectionPath(layer, name)}.weight`);
