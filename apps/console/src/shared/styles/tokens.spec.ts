import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { contrastOf } from './contrast.fixture.js';

const SOURCES = join(import.meta.dirname, '../..');
const TOKENS = join(import.meta.dirname, 'tokens.css');
/** Line breaks as in a checkout of any system, comments left out. */
const read = (path: string): string => readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');

const SHEETS = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css') && join(SOURCES, name) !== TOKENS)
  .map((name) => ({ name: name.split(sep).join('/'), css: read(join(SOURCES, name)) }));

/** Properties with their values. */
const declarationsOf = (css: string): [property: string, value: string][] =>
  [...css.matchAll(/([-\w]+)\s*:\s*([^;{}]+);/g)].map(([, property = '', value = '']) => [property, value.trim()]);

const tokensOf = (selector: string): ReadonlyMap<string, string> => {
  const css = read(TOKENS);
  const start = css.indexOf('{', css.indexOf(selector));
  return new Map(declarationsOf(css.slice(start, css.indexOf('}', start))));
};
const LIGHT = tokensOf(':root {');
const DARK = new Map([...LIGHT, ...tokensOf(":root[data-theme='dark'] {")]);

/** Declarations of the style sheets that write what has a token. */
const literals = (property: RegExp, value: RegExp): string[] =>
  SHEETS.flatMap(({ name, css }) =>
    declarationsOf(css)
      .filter(([one, what]) => property.test(one) && value.test(what))
      .map(([one, what]) => `${name}: ${one}: ${what}`),
  );

describe('style sheets of the console', () => {
  it('are there to be read', () => {
    expect(SHEETS.length).toBeGreaterThan(40);
    expect(SHEETS.map(({ name }) => name)).toContain('shared/ui/ui.module.css');
    expect(relative(SOURCES, TOKENS).split(sep).join('/')).toBe('shared/styles/tokens.css');
  });

  it('take sizes of text from the scale', () => {
    expect(literals(/^font(-size)?$/, /\d(px|pt|rem|%)/)).toEqual([]);
  });

  it('take spaces from the scale', () => {
    expect(literals(/^(padding|margin|(row-|column-)?gap)(-|$)/, /\d(px|rem)/)).toEqual([]);
  });

  it('take corners from the scale', () => {
    expect(literals(/^border(-\w+)*-radius$/, /\d(px|rem)/)).toEqual([]);
  });

  it('take colours from the themes', () => {
    expect(literals(/./, /#[\da-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(/i)).toEqual([]);
  });

  it('take their typefaces from the tokens', () => {
    const own = literals(/^font(-family)?$/, /sans-serif|monospace|['"]/);
    expect(own).toEqual(["shared/styles/font.css: font-family: 'Inter Variable'"]);
  });

  it('use no token that is not there, and leave none unused', () => {
    const all = SHEETS.map(({ css }) => css).join('\n');
    const own = new Set(declarationsOf(all).map(([property]) => property));
    // Set by scripts, for one element each.
    const set = new Set(['--tree', ...['wide', 'medium', 'narrow'].flatMap((one) => [`--${one}`, `--${one}-width`])]);
    const used = new Set([...all.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name));
    expect([...used].filter((name) => !LIGHT.has(name) && !own.has(name) && !set.has(name))).toEqual([]);
    expect([...LIGHT.keys()].filter((name) => name.startsWith('--') && !used.has(name))).toEqual([]);
  });
});

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('the %s theme', (_name, theme) => {
  const contrast = (text: string, surface: string): number =>
    contrastOf(theme.get(`--${text}`) ?? '', theme.get(`--${surface}`) ?? '');
  const below = (least: number, pairs: readonly [text: string, surface: string][]): string[] =>
    pairs.filter((pair) => !(contrast(...pair) >= least)).map(([a, b]) => `${a} on ${b}: ${contrast(a, b).toFixed(2)}`);

  it('has words that one can read on every surface', () => {
    const words = ['text', 'text-muted', 'accent', 'good', 'bad', 'warn'];
    const surfaces = ['surface', 'surface-raised', 'surface-hover', 'surface-selected'];
    const pairs = words.flatMap((word) => surfaces.map((surface): [string, string] => [word, surface]));
    const own = ['good', 'bad', 'warn'].flatMap((tone): [string, string][] => [
      [tone, `${tone}-surface`],
      ['text', `${tone}-surface`],
    ]);
    expect(below(4.5, [...pairs, ...own, ['accent-text', 'accent']])).toEqual([]);
  });

  it('has marks of charts that one can tell from the page', () => {
    const marks = [...Array.from({ length: 8 }, (_, at) => `series-${at + 1}`), 'good', 'bad', 'accent'];
    expect(
      below(
        3,
        marks.map((mark): [string, string] => [mark, 'surface']),
      ),
    ).toEqual([]);
  });
});
