import { toPortablePattern, withPortablePatterns } from './portable-patterns.js';

describe('patterns of the OpenAPI document', () => {
  const patterns = ['^[\\p{L}\\p{N}_.\\-]{1,128}$', '^[\\p{L}\\p{N}]+(?: [\\p{L}\\p{N}]+)*$'];

  it.each(patterns)('are within the portable subset of JSON Schema: %s', (pattern) => {
    expect(toPortablePattern(pattern)).not.toContain('\\p{');
  });

  it.each([
    'a',
    'Straße',
    '漢字-2',
    '𝒳',
    '٣',
    'x_y.z',
    '',
    ' ',
    'a b',
    'a\u0000',
    '—',
    '🙂',
    '\ud800',
    'x'.repeat(129),
  ])('accept what they accepted: %j', (text) => {
    for (const pattern of patterns) {
      expect(new RegExp(toPortablePattern(pattern), 'u').test(text)).toBe(new RegExp(pattern, 'u').test(text));
    }
  });

  it('are replaced wherever a schema has one', () => {
    const documentWith = (pattern: string) => ({ paths: { '/a': { parameters: [{ schema: { pattern } }] } } });
    const { paths } = withPortablePatterns(documentWith('^[\\p{L}\\p{N}]$'));
    expect(paths['/a'].parameters[0]?.schema.pattern).toMatch(/^\^\[0-9A-Za-z/);
  });
});
