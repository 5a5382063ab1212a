import { hashApiKey, newApiKey, prefixOf } from './key-format.js';

describe('API keys', () => {
  it('are `hone_` and 256 random bits', () => {
    const keys = Array.from({ length: 100 }, newApiKey);
    for (const key of keys) expect(key).toMatch(/^hone_[A-Za-z0-9_-]{43}$/);
    expect(new Set(keys).size).toBe(100);
  });

  it('are stored as SHA-256', () => {
    expect(hashApiKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('show 7 of their random characters', () => {
    expect(prefixOf('hone_0123456789')).toBe('hone_0123456');
  });
});
