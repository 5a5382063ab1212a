export const PROJECTIONS = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const;
/** A matrix of a layer. Every family has these seven, under these names. */
export type ProjectionName = (typeof PROJECTIONS)[number];

/** The module's path in the model, `model.layers.0.self_attn.q_proj`. */
export function projectionPath(layer: number, projection: ProjectionName): string {
  const block = ['gate_proj', 'up_proj', 'down_proj'].includes(projection) ? 'mlp' : 'self_attn';
  return `model.layers.${layer}.${block}.${projection}`;
}
