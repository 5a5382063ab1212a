import { adaptedModules, loraVariantOf } from '../checkpoints/index.js';
import { TINY_DECODER } from '../train/tiny-decoder.fixture.js';
import { askedPattern } from './asked-pattern.js';

const MODULES = adaptedModules(TINY_DECODER, ['q_proj', 'up_proj']);
const NAMES = { q_proj: 4, 'self_attn.q_proj': 8, 'layers.1.self_attn.q_proj': 16 };

describe('askedPattern', () => {
  it('lets the most specific name win, in whichever order the database returns them', () => {
    for (const entries of [Object.entries(NAMES), Object.entries(NAMES).reverse()]) {
      const rankPattern = askedPattern('rank_pattern', Object.fromEntries(entries), MODULES);
      expect(Object.keys(rankPattern)).toEqual(['layers.1.self_attn.q_proj', 'self_attn.q_proj', 'q_proj']);
      const options = { useRslora: false, rankPattern, alphaPattern: {} };
      const variant = loraVariantOf('adapter_config.json', { rank: 2, alpha: 4 }, options, MODULES);
      expect(Array.from(variant!.modules, ([path, { rank }]) => [path, rank])).toEqual([
        ['model.layers.0.self_attn.q_proj', 8],
        ['model.layers.0.mlp.up_proj', 2],
        ['model.layers.1.self_attn.q_proj', 16],
        ['model.layers.1.mlp.up_proj', 2],
      ]);
    }
  });

  it.each(['down_proj', 'layers.2.self_attn.q_proj', 'layers.0.mlp.down_proj'])(
    'refuses %s, which the adapter does not have',
    (name) => {
      expect(() => askedPattern('alpha_pattern', { up_proj: 4, [name]: 1 }, MODULES)).toThrow(
        expect.objectContaining({
          code: 'config.lora_pattern',
          message: `The adapter has no module that '${name}' of alpha_pattern names.`,
        }),
      );
    },
  );
});
