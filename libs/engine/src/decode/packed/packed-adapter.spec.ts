import type { LoraAdapter } from '../../checkpoints/lora-adapter.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import { packAdapter } from './packed-adapter.js';

const MODULE = 'model.layers.0.self_attn.q_proj';
const OUT = 5;

/** `[OUT, rank]`: its entry in row r and column c is 100 r + c. */
function adapterOf(rank: number): LoraAdapter {
  const b = Float32Array.from({ length: OUT * rank }, (_, at) => 100 * Math.floor(at / rank) + (at % rank));
  return {
    ...{ baseModel: 'base', rank, alpha: 16, targets: ['q_proj'] },
    tensors: new Map([
      [`${MODULE}.lora_A.weight`, { shape: [rank, 1], data: Float32Array.from({ length: rank }, (_, at) => at) }],
      [`${MODULE}.lora_B.weight`, { shape: [OUT, rank], data: b }],
    ]),
  };
}

it.each([1, 2, 3, 4, 5, 7, 8, 9])('packAdapter transposes B of rank %d, and leaves A as it is', (rank) => {
  const { a, b, scale } = packAdapter({ numLayers: 1 } as LlamaConfig, adapterOf(rank));
  const expected = Array.from({ length: rank * OUT }, (_, at) => 100 * (at % OUT) + Math.floor(at / OUT));
  expect([...(b.get(MODULE) ?? [])]).toEqual(expected);
  expect([...(a.get(MODULE) ?? [])]).toEqual([...Array(rank).keys()]);
  expect(scale).toBe(16 / rank);
});
