import type { LoraAdapter } from '../checkpoints/index.js';
import { mergeAdapter } from '../checkpoints/index.js';
import { randomAdapter } from '../checkpoints/random-adapter.fixture.js';
import { TINY_DECODER, tinyWeights } from '../train/tiny-decoder.fixture.js';
import { adaptLora } from './adapt-lora.js';
import type { TrainingSpec } from './training-spec.js';

const SEED = 3407;
const PARENT = randomAdapter(TINY_DECODER, { rank: 4, alpha: 8, targets: ['q_proj', 'up_proj'] });
const NONE = { r: null, alpha: null, target_modules: null };
const adapt = (asked: Partial<NonNullable<TrainingSpec['lora_asked']>> | null, seed = SEED) =>
  adaptLora(PARENT, asked && { ...NONE, ...asked }, TINY_DECODER, seed);
const merged = (adapter: LoraAdapter) => mergeAdapter(tinyWeights(), TINY_DECODER, adapter);
const asAdapter = ({ part, tensors }: ReturnType<typeof adapt>): LoraAdapter => ({
  baseModel: 'x',
  ...part.lora,
  tensors,
});

describe('adaptLora', () => {
  it.each([null, NONE, { r: 4, alpha: 8, target_modules: ['up_proj', 'q_proj'] }])(
    'leaves the adapter as it is for %j',
    (asked) => {
      const { part, tensors, isChanged } = adapt(asked);
      expect([isChanged, part.lora]).toEqual([false, { rank: 4, alpha: 8, targets: ['q_proj', 'up_proj'] }]);
      expect(tensors).toBe(PARENT.tensors);
    },
  );

  it.each<Partial<NonNullable<TrainingSpec['lora_asked']>>>([
    { rank_pattern: { q_proj: 4 } },
    { rank_pattern: {}, alpha_pattern: { 'layers.0.mlp.up_proj': 8 } },
    { r: 2, alpha: 4, rank_pattern: { q_proj: 4, up_proj: 4 }, alpha_pattern: { q_proj: 8, up_proj: 8 } },
    { alpha: 4, use_rslora: true },
  ])('keeps tensors and moments where other options give every module what it has: %j', (asked) => {
    const { tensors, isChanged } = adapt(asked);
    expect(isChanged).toBe(false);
    expect(tensors).toBe(PARENT.tensors);
  });

  it.each<Partial<NonNullable<TrainingSpec['lora_asked']>>>([
    { r: 8 },
    { r: 16, alpha: 32 },
    { r: 5 },
    { alpha: 3 },
    { target_modules: ['q_proj', 'k_proj', 'up_proj', 'down_proj'] },
    { use_rslora: true, target_modules: ['q_proj', 'k_proj', 'up_proj'] },
    { r: 6, alpha: 6, target_modules: ['q_proj', 'o_proj', 'up_proj'] },
    { use_rslora: true },
    { rank_pattern: { up_proj: 9 } },
    { alpha_pattern: { 'layers.1.self_attn.q_proj': 5, up_proj: 1 } },
    { r: 5, use_rslora: true, rank_pattern: { q_proj: 7 }, target_modules: ['q_proj', 'k_proj', 'up_proj'] },
  ])('changes nothing of what the model computes for %j', (asked) => {
    const adapted = adapt(asked);
    expect(adapted.isChanged).toBe(true);
    const [before, after] = [merged(PARENT), merged(asAdapter(adapted))];
    for (const [name, { data }] of before) {
      const now = after.get(name)?.data as Float32Array;
      data.forEach((value, at) => expect(now[at]).toBeCloseTo(value, 6));
    }
  });

  it('is exact where the scale is a power of two', () => {
    expect(merged(asAdapter(adapt({ r: 8, target_modules: ['q_proj', 'v_proj', 'up_proj'] })))).toEqual(merged(PARENT));
  });

  it('begins what is new as a new adapter does: A random by the seed, B zero', () => {
    const { tensors } = adapt({ r: 6, target_modules: ['q_proj', 'k_proj', 'up_proj'] });
    const [a, b] = ['A', 'B'].map((matrix) => tensors.get(`model.layers.1.self_attn.k_proj.lora_${matrix}.weight`));
    expect(a?.data.every((value) => value !== 0 && Math.abs(value) <= 1 / Math.sqrt(8))).toBe(true);
    expect(b?.data.every((value) => value === 0)).toBe(true);
    const grown = tensors.get('model.layers.0.self_attn.q_proj.lora_A.weight');
    expect(grown?.shape).toEqual([6, 8]);
    expect(grown?.data.subarray(32).every((value) => value !== 0)).toBe(true);
    expect(adapt({ r: 6 }).tensors).toEqual(adapt({ r: 6 }).tensors);
    expect(adapt({ r: 6 }, 1).tensors).not.toEqual(adapt({ r: 6 }).tensors);
  });

  it.each([
    [{ r: 3 }, 'The checkpoint that the job starts from has rank 4; the job asks for rank 3.'],
    [{ rank_pattern: { up_proj: 2 } }, 'The checkpoint that the job starts from has rank 4; the job asks for rank 2.'],
    [
      { alpha: 1e-50 },
      'The checkpoint that the job starts from has scale 2; the job asks for scale 2.5e-51, which is too small.',
    ],
    [
      { target_modules: ['q_proj', 'k_proj'] },
      'The checkpoint that the job starts from has weights for up_proj; the job asks for targets q_proj, k_proj.',
    ],
  ])('refuses %j, which would lose weights', (asked, message) => {
    expect(() => adapt(asked)).toThrow(expect.objectContaining({ code: 'config.lora_mismatch', message }));
  });
});
