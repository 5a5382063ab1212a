import { performance } from 'node:perf_hooks';

import { endsOf, firstKeys, firstMatches, isLiteral } from './module-pattern.js';

const PLACE = { file: 'adapter_config.json', field: 'rank_pattern' };
const MODULES = ['model.layers.1.self_attn.q_proj', 'model.layers.11.self_attn.q_proj', 'model.layers.1.mlp.up_proj'];

describe('firstKeys', () => {
  it.each<[string[], number[]]>([
    [['q_proj'], [0, 0, -1]],
    [['proj'], [-1, -1, -1]],
    [
      ['layers.1.self_attn.q_proj', 'q_proj'],
      [0, 1, -1],
    ],
    [
      ['q_proj', 'layers.1.self_attn.q_proj'],
      [0, 0, -1],
    ],
    [['model.layers.1.mlp.up_proj'], [-1, -1, 0]],
    [
      ['1\\..*', 'q_proj'],
      [0, 1, 0],
    ],
    [
      ['q_proj', '.*'],
      [0, 0, 1],
    ],
    [['(?:up|down).proj'], [-1, -1, 0]],
    [['._proj'], [0, 0, -1]],
    [[], [-1, -1, -1]],
  ])('finds of %j what PEFT finds: %j', (keys, expected) => {
    expect(firstKeys(PLACE, keys, MODULES)).toEqual(expected);
  });

  it('looks names up, however many there are', () => {
    const keys = Array.from({ length: 100_000 }, (_, layer) => `layers.${layer}.self_attn.q_proj`);
    const from = performance.now();
    expect(firstKeys(PLACE, keys, MODULES)).toEqual([1, 11, -1]);
    expect(performance.now() - from).toBeLessThan(2_000);
  });

  it('gives all expressions one limit of time', () => {
    // Each takes a part of the limit for one module, and together hours.
    const keys = Array.from({ length: 256 }, (_, at) => `(?:[a-z_.0-9]+)+[!]${at}`);
    const from = performance.now();
    expect(() => firstKeys(PLACE, keys, MODULES)).toThrow('rank_pattern takes too long to be matched');
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  it.each(['q_proj\\Z', '\\Aq_proj', 'q\\_proj', '(*'])(
    'refuses %s, which is none or which only Python reads',
    (key) => {
      expect(() => firstKeys(PLACE, [key], MODULES)).toThrow('the pattern rank_pattern is no regular expression');
    },
  );

  it('takes at most 256 expressions', () => {
    const keys = Array.from({ length: 257 }, (_, at) => `.*${at}`);
    expect(firstKeys(PLACE, keys.slice(1), MODULES)).toEqual([-1, -1, -1]);
    expect(() => firstKeys(PLACE, keys, MODULES)).toThrow('rank_pattern has 257 regular expressions, at most 256');
  });
});

it('takes an expression that matches ends of names alone for no name', () => {
  expect(['q_proj', 'mlp.up_proj', 'model.layers.0.mlp.up_proj'].filter(isLiteral)).toHaveLength(3);
  expect(['q.proj', '...._proj', 'layers.0.q_proj', 'lm_head', 'mlp.q_proj'].filter(isLiteral)).toEqual([]);
});

it('matches whole names', () => {
  expect(firstMatches(PLACE, ['.*q_proj', '.*mlp'], MODULES)).toEqual([0, 0, -1]);
  expect(endsOf('a.b.c')).toEqual(['a.b.c', 'b.c', 'c']);
});
