import type { LlamaConfig, RopeScaling } from './llama-config.js';
import { rotaryTables } from './rotary-tables.js';

const HEAD_DIM = 8;
const configWith = (ropeScaling: RopeScaling | null) =>
  ({ headDim: HEAD_DIM, ropeTheta: 10_000, ropeScaling }) as LlamaConfig;

/** Angles by which position 1 turns each pair: the frequencies themselves. */
function frequencies(scaling: RopeScaling | null): number[] {
  const { cosines, sines } = rotaryTables(configWith(scaling), 2);
  const half = HEAD_DIM / 2;
  return Array.from({ length: half }, (_, at) => Math.atan2(sines[half + at] as number, cosines[half + at] as number));
}

const close = (values: number[]) => values.map((value) => expect.closeTo(value, 6));

describe('rotaryTables', () => {
  it('turns nothing at position 0', () => {
    const { cosines, sines } = rotaryTables(configWith(null), 1);
    expect([...cosines]).toEqual([1, 1, 1, 1]);
    expect([...sines]).toEqual([0, 0, 0, 0]);
  });

  it('turns pair i by theta^(-2i / headDim) per token', () => {
    expect(frequencies(null)).toEqual(close([1, 0.1, 0.01, 0.001]));
  });

  it('is slower by the factor with linear scaling', () => {
    expect(frequencies({ type: 'linear', factor: 4 })).toEqual(close([0.25, 0.025, 0.0025, 0.00025]));
  });

  it('keeps short waves, stretches long ones and mixes those between with the scaling of Llama 3', () => {
    // Waves of 6.3, 63, 628 and 6283 tokens in a context of 1024: 163, 16.3, 1.63 and 0.163 turns.
    const scaling = {
      type: 'llama3',
      factor: 8,
      lowFreqFactor: 1,
      highFreqFactor: 4,
      originalMaxPositions: 1024,
    } as const;
    const turns = (1024 * 0.01) / (2 * Math.PI);
    const share = (turns - 1) / 3;
    expect(frequencies(scaling)).toEqual(close([1, 0.1, share * 0.01 + ((1 - share) * 0.01) / 8, 0.001 / 8]));
  });
});
