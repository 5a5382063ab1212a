import type { LoraAdapter } from '@hone/engine';

/** A LoRA adapter for the bundled model; each seed changes its answers differently. */
export function anAdapter(seed = 1): LoraAdapter {
  const tensor = (shape: [number, number]) => ({
    shape,
    data: Float32Array.from({ length: shape[0] * shape[1] }, (_, at) => Math.sin(at * seed) / 10),
  });
  const layers = Array.from({ length: 4 }, (_, layer) => `model.layers.${layer}.self_attn.q_proj`);
  const tensors = layers.flatMap((path) => [
    [`${path}.lora_A.weight`, tensor([2, 128])] as const,
    [`${path}.lora_B.weight`, tensor([128, 2])] as const,
  ]);
  return { baseModel: 'hone-tiny', rank: 2, alpha: 4, targets: ['q_proj'], tensors: new Map(tensors) };
}
