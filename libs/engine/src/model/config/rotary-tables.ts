import type { LlamaConfig, RopeScaling } from './llama-config.js';

/**
 * Cosines and sines of the rotary angles of positions 0 to `length` - 1, `[length, headDim / 2]` each.
 * Source: Su et al., "RoFormer" (2021); scaling as in Hugging Face's `modeling_rope_utils`.
 */
export function rotaryTables(config: LlamaConfig, length: number): { cosines: Float32Array; sines: Float32Array } {
  const half = config.headDim / 2;
  const frequencies = rotaryFrequencies(config);
  const angle = (at: number) => Math.floor(at / half) * (frequencies[at % half] as number);
  return {
    cosines: Float32Array.from({ length: length * half }, (_, at) => Math.cos(angle(at))),
    sines: Float32Array.from({ length: length * half }, (_, at) => Math.sin(angle(at))),
  };
}

/** The same for windowed layers, which may have an embedding of their own. */
export function windowRotaryTables(config: LlamaConfig, length: number): ReturnType<typeof rotaryTables> {
  const { windowRopeTheta } = config;
  if (windowRopeTheta === undefined) return rotaryTables(config, length);
  return rotaryTables({ ...config, ropeTheta: windowRopeTheta, ropeScaling: null }, length);
}

/** Radians per token of each pair of a head, `[headDim / 2]`. */
export function rotaryFrequencies({
  headDim,
  ropeTheta,
  ropeScaling,
}: Pick<LlamaConfig, 'headDim' | 'ropeTheta' | 'ropeScaling'>): number[] {
  const half = headDim / 2;
  return Array.from({ length: half }, (_, index) => scaled(ropeTheta ** (-index / half), ropeScaling));
}

/** A frequency in radians per token after stretching the context. */
function scaled(frequency: number, scaling: RopeScaling | null): number {
  if (scaling === null) return frequency;
  if (scaling.type === 'linear') return frequency / scaling.factor;
  const { factor, lowFreqFactor, highFreqFactor, originalMaxPositions } = scaling;
  // Waves much shorter than the first context stay, much longer ones are stretched, those between are mixed.
  const turns = (originalMaxPositions * frequency) / (2 * Math.PI);
  if (turns > highFreqFactor) return frequency;
  if (turns < lowFreqFactor) return frequency / factor;
  const share = (turns - lowFreqFactor) / (highFreqFactor - lowFreqFactor);
  return share * frequency + ((1 - share) * frequency) / factor;
}
