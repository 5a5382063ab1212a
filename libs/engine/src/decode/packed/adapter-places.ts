import type { LlamaConfig } from '../../model/config/llama-config.js';
import { tensorShapes } from '../../model/config/tensor-shapes.js';
import { type ProjectionName, projectionPath, PROJECTIONS } from '../../train/trained-parameters.js';
import { type ProductName, PRODUCTS } from '../graph/decoder-tensors.js';

/**
 * Layers whose adapters share inputs. An input costs 6 µs a run whatever is in it. The graph cuts them up, in copies: the
 * fewer layers, the less memory.
 */
const LAYERS_TOGETHER = 3;

const PARTS = Object.keys(PRODUCTS) as ProductName[];

/** Matrices that stand in an input of all adapters in use, one below the other. */
export interface AdapterPiece {
  readonly layer: number;
  /** The matrices A `[rank, in]` of a product's projections, or the transposed matrices B `[rank, out]` of one projection. */
  readonly factor: 'a' | 'b';
  readonly projections: readonly ProjectionName[];
}

/** Where the matrices of one width of some layers are fed: an input `[ranks of the pieces, width]`. */
export interface AdapterPlace {
  readonly input: string;
  readonly width: number;
  /** In the input one below the other. */
  readonly pieces: readonly AdapterPiece[];
}

export function adapterPlaces(config: LlamaConfig): AdapterPlace[] {
  const shapes = tensorShapes(config);
  // The same in every layer.
  const shapeOf = (projection: ProjectionName) =>
    shapes.get(`${projectionPath(0, projection)}.weight`) as readonly [out: number, width: number];
  const places = new Map<string, AdapterPlace & { pieces: AdapterPiece[] }>();
  for (let layer = 0; layer < config.numLayers; layer += 1) {
    const first = layer - (layer % LAYERS_TOGETHER);
    const add = (width: number, piece: AdapterPiece) => {
      const input = `layers.${first}.adapters.${width}`;
      const place = places.get(input) ?? { input, width, pieces: [] };
      place.pieces.push(piece);
      places.set(input, place);
    };
    for (const part of PARTS) {
      const projections = PRODUCTS[part];
      add(shapeOf(projections[0])[1], { layer, factor: 'a', projections });
      for (const projection of projections)
        add(shapeOf(projection)[0], { layer, factor: 'b', projections: [projection] });
    }
  }
  return [...places.values()];
}

/** Input `[tokens, ranks of all projections]` of a product: `alpha / rank` where the adapter is the token's own, else 0. */
export const selectOf = (part: ProductName): string => `select.${part}`;

/** Input, int64: how many ranks the adapters in use have for each of {@link RANKED}. */
export const RANKS = 'ranks';

/** Each projection, and what of them one product computes together. */
export const RANKED: readonly (readonly ProjectionName[])[] = [
  ...PROJECTIONS.map((projection) => [projection]),
  ...PARTS.map((part) => PRODUCTS[part]),
];

/** Place of these projections in {@link RANKED}. */
export const rankedAt = (projections: readonly ProjectionName[]): number =>
  RANKED.findIndex((ranked) => ranked.join() === projections.join());

/** Name of the dimension: ranks of all adapters in use that change the projections. */
export const ranksOf = (projections: readonly ProjectionName[]): string =>
  projections.map((projection) => `ranks.${projection}`).join('+');

/** Names of the base model's matrices of one part of a layer, in the order of its columns. */
export const sourcesOf = (layer: number, part: ProductName): string[] =>
  PRODUCTS[part].map((name) => `${projectionPath(layer, name)}.weight`);
