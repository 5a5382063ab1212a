import { isMarkdown } from './block.js';
import { parseMarkdown } from './parse.js';

const text = (of: string) => ({ kind: 'text', text: of });

describe('Markdown', () => {
  it('becomes paragraphs, lists, tables and code', () => {
    expect(
      parseMarkdown('# A *b*\n\n1. one\n2. [x] no box\n\n- [x] done\n\n```js\na < b\n```\n\n|a|\n|-|\n|b|'),
    ).toMatchObject([
      { kind: 'heading', depth: 1, children: [text('A '), { kind: 'emphasis', children: [text('b')] }] },
      { kind: 'ordered', start: 1, children: [{ kind: 'item' }, { kind: 'item' }] },
      { kind: 'list', children: [{ kind: 'item', isChecked: true }] },
      { kind: 'code', text: 'a < b' },
      { kind: 'table', children: [{ kind: 'tableRow' }, { kind: 'tableRow', children: [{ children: [text('b')] }] }] },
    ]);
  });

  it('leaves of HTML, footnotes and references nothing but text', () => {
    const source = 'x <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n[a]: http://a\n\n[a][a]';
    const kinds = JSON.stringify(parseMarkdown(source));
    expect(kinds).toContain('<img src=x onerror=alert(1)>');
    expect(kinds).toContain('<script>alert(1)</script>');
    expect(kinds).not.toContain('address');
  });

  it('ends where it is nested too deep', () => {
    const depthOf = (value: unknown): number =>
      Array.isArray(value) ? Math.max(0, ...value.map((one: { children?: unknown }) => 1 + depthOf(one.children))) : 0;
    expect(depthOf(parseMarkdown('> '.repeat(100) + 'a'))).toBeLessThan(30);
  });

  it.each([
    ['**bold**', true],
    ['a `b`', true],
    ['- item', true],
    ['see https://example.com', true],
    ['plain words, 3 * 4 = 12', false],
    ['line\nline', false],
  ])('is seen in %j: %s', (source, is) => {
    expect(isMarkdown(source)).toBe(is);
  });

  it('is not looked for in a book', () => {
    expect(isMarkdown(`**${'a'.repeat(30_000)}**`)).toBe(false);
  });
});
