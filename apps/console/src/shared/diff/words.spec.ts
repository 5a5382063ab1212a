import * as library from 'diff';

import { wordDiff } from './words.js';

const diff = (before: string, after: string) =>
  wordDiff(library, before, after).map(({ kind, text, lines }) =>
    kind === 'gap' ? `${lines} lines` : `${kind} ${text}`,
  );

describe('the words of two texts', () => {
  it('that were removed and added stand where they were', () => {
    expect(diff('Be short.', 'Be warm and short.')).toEqual(['same Be ', 'added warm and ', 'same short.']);
    expect(diff('a b', 'a c')).toEqual(['same a ', 'removed b', 'added c']);
  });

  it('are all removed or added where one text is empty, and equal where nothing differs', () => {
    expect(diff('', 'a b')).toEqual(['added a b']);
    expect(diff('a b', '')).toEqual(['removed a b']);
    expect(diff('a\nb\nc\nd\ne\nf\ng\nh', 'a\nb\nc\nd\ne\nf\ng\nh')).toEqual(['same a\nb\nc\nd\ne\nf\ng\nh']);
  });

  it('leave out equal lines that are far from a change', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    expect(diff(`${lines}\nx`, `${lines}\ny`)).toEqual(['18 lines', 'same line 18\nline 19\n', 'removed x', 'added y']);
    expect(diff(`x\n${lines}\nz`, `y\n${lines}\nz`).slice(0, 4)).toEqual([
      ...['removed x', 'added y', 'same \nline 0\nline 1', '19 lines'],
    ]);
  });

  it('stand for each other as a whole where finding the change would take too long', () => {
    const words = (seed: string) => Array.from({ length: 60_000 }, (_, index) => `${seed}${index}`).join(' ');
    const [before, after] = [words('a'), words('b')];
    const began = performance.now();
    const parts = wordDiff(library, before, after);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added']);
  });
});
