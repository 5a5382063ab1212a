import { integerRule } from '../validation/rules.js';
import { modulePatternRule } from './module-pattern.rule.js';

const rule = modulePatternRule(integerRule({ min: 1, max: 256 }));

describe('values by the names of modules', () => {
  it.each([
    {},
    { q_proj: 4 },
    { 'self_attn.o_proj': 1, 'mlp.down_proj': 256 },
    { 'layers.0.self_attn.q_proj': 2, 'layers.31.mlp.gate_proj': 3 },
  ])('are %j', (value) => {
    expect(rule.issues(value)).toEqual([]);
  });

  it.each<[unknown, (string | number)[], string]>([
    [[4], [], 'dict_type'],
    [{ q_proj: 0 }, ['q_proj'], 'greater_than_equal'],
    [{ q_proj: 2.5 }, ['q_proj'], 'int_type'],
    [{ lm_head: 4 }, ['lm_head'], 'value_error'],
    [{ '.*q_proj': 4 }, ['.*q_proj'], 'value_error'],
    [{ 'mlp.q_proj': 4 }, ['mlp.q_proj'], 'value_error'],
    [{ 'layers.0.q_proj': 4 }, ['layers.0.q_proj'], 'value_error'],
    [{ 'layers.00.self_attn.q_proj': 4 }, ['layers.00.self_attn.q_proj'], 'value_error'],
    [{ 'layers.0.self_attn.up_proj': 4 }, ['layers.0.self_attn.up_proj'], 'value_error'],
    [{ '(\\w+\\.?)+!': 4 }, ['(\\w+\\.?)+!'], 'value_error'],
  ])('are not %j', (value, loc, type) => {
    expect(rule.issues(value)).toMatchObject([{ loc, type }]);
  });

  it('are at most 256', () => {
    const ofLayers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, layer) => [`layers.${layer}.self_attn.q_proj`, 1]));
    expect(rule.issues(ofLayers(256))).toEqual([]);
    expect(rule.issues(ofLayers(257))).toMatchObject([{ loc: [], type: 'value_error' }]);
  });
});
