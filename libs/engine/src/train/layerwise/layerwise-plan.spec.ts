import type { LlamaConfig } from '../../model/config/llama-config.js';
import { planLayerwise } from './layerwise-plan.js';

const MIB = 2 ** 20;
/** The sizes of SmolLM2-135M. */
const CONFIG = {
  hiddenSize: 576,
  intermediateSize: 1536,
  numLayers: 30,
  numHeads: 9,
  numKvHeads: 3,
  headDim: 64,
} as LlamaConfig;

describe('planLayerwise', () => {
  it('takes longer passes where there is more memory', () => {
    const tokens = [0, 140, 232, 400, 800].map((mib) => planLayerwise(CONFIG, mib * MIB).maxTokens);
    expect(tokens).toEqual([64, 128, 256, 512, 1024]);
  });

  it('saves no more layers than there is memory for', () => {
    expect(planLayerwise(CONFIG, 0).savedLayers).toBe(0);
    expect(planLayerwise(CONFIG, 232 * MIB).savedLayers).toBe(30);
    const { maxTokens, savedLayers } = planLayerwise(CONFIG, 700 * MIB);
    const floats = maxTokens * (30 * 576 + savedLayers * (15 * 64 + 576 + 2 * 1536));
    expect(floats * Float32Array.BYTES_PER_ELEMENT).toBeLessThan(700 * MIB);
    expect(savedLayers).toBeGreaterThanOrEqual(22);
  });
});
