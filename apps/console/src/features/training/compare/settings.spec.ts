import { differingSettings } from './settings.js';

describe('settings that differ', () => {
  it('are found at any depth, by their paths; what is equal is left out', () => {
    const first = { learning_rate: 1e-4, lora: { rank: 8, alpha: 16 }, seed: 1, tags: ['a', 'b'], note: null };
    const second = { learning_rate: 2e-4, lora: { rank: 8, alpha: 32 }, seed: 1, tags: ['a', 'c'], note: null };
    expect(differingSettings([first, second])).toEqual([
      { name: 'learning_rate', values: ['0.0001', '0.0002'] },
      { name: 'lora.alpha', values: ['16', '32'] },
      { name: 'tags', values: ['["a","b"]', '["a","c"]'] },
    ]);
  });

  it('tell an absent setting from null', () => {
    expect(differingSettings([{ a: null }, {}, { a: null }])).toEqual([{ name: 'a', values: ['null', null, 'null'] }]);
  });

  it('are none where all are the same', () => {
    expect(differingSettings([{ __proto__: null, a: {} }, { a: {} }])).toEqual([]);
  });
});
