import type { DecoderShape } from '../model/config/decoder-shape.js';
import { tensorShapes } from '../model/config/tensor-shapes.js';
import type { Weights } from '../tensor.js';
import type { LoraScaling } from '../train/lora-variant.js';
import { type ProjectionName, projectionPath, PROJECTIONS } from '../train/trained-parameters.js';

const TENSOR_NAME = /^(.*)\.lora_([AB])\.weight$/;

/** Low-rank additions to projections of a base model. Source: Hu et al., "LoRA" (2021). */
export interface LoraAdapter extends LoraScaling {
  /** Id of the base model, for people: nothing is loaded by it. */
  readonly baseModel: string;
  /** The same projections in every layer, in the order of PROJECTIONS. */
  readonly targets: readonly ProjectionName[];
  /**
   * `<path>.lora_A.weight` `[rank, in]` and `<path>.lora_B.weight` `[out, rank]`, path as in
   * `model.layers.0.self_attn.q_proj`. All have the largest rank of a module; zeros fill the smaller ones up.
   */
  readonly tensors: Weights;
}

/** One adapted matrix. */
export interface AdaptedModule {
  /** For example `model.layers.0.self_attn.q_proj`. */
  readonly path: string;
  /** Name of the base model's tensor, `[out, in]`. */
  readonly weight: string;
  readonly a: string;
  readonly b: string;
  readonly out: number;
  readonly in: number;
}

/** The matrices that an adapter with these targets changes, layer by layer. */
export function adaptedModules(config: DecoderShape, targets: readonly ProjectionName[]): AdaptedModule[] {
  const shapes = tensorShapes(config);
  return Array.from({ length: config.numLayers }, (_, layer) => layer).flatMap((layer) => {
    return inOrder(targets).map((target) => {
      const path = projectionPath(layer, target);
      const [out, columns] = shapes.get(`${path}.weight`) as readonly [number, number];
      const [weight, a, b] = [`${path}.weight`, `${path}.lora_A.weight`, `${path}.lora_B.weight`];
      return { path, weight, a, b, out, in: columns };
    });
  });
}

/** The projections among these names, in the order of PROJECTIONS. */
export function inOrder(names: readonly string[]): ProjectionName[] {
  return PROJECTIONS.filter((projection) => names.includes(projection));
}

/** Which matrix of which module a tensor of an adapter is. @param name as in a {@link LoraAdapter} */
export function matrixOf(name: string): { path: string; isA: boolean } {
  const [, path, matrix] = TENSOR_NAME.exec(name) ?? [];
  if (path === undefined) throw new Error(`${name} is no tensor of an adapter.`);
  return { path, isA: matrix === 'A' };
}
