import { hashApiKey, newApiKey, prefixOf } from './key-format.js';

describe('API keys', () => {
  it('are `hone-` and 40 random letters and digits', () => {
    const keys = Array.from({ length: 100 }, newApiKey);
    for (const key of keys) expect(key).toMatch(/^hone-[A-Za-z0-9]{40}$/);
    expect(new Set(keys).size).toBe(100);
    expect(new Set(keys.join('')).size).toBeGreaterThan(60);
  });

  it('are stored as SHA-256', () => {
    expect(hashApiKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('show 7 of their random characters', () => {
    expect(prefixOf('hone-0123456789')).toBe('hone-0123456');
  });
});
