import { diffLines } from 'diff';

import { toDiffRows, toDiffText } from './diff-rows.js';

const diff = (left: unknown, right: unknown) =>
  toDiffRows(diffLines(toDiffText(left), toDiffText(right))).map((row) => [row.left, row.right, row.isChanged]);

describe('two versions side by side', () => {
  it('have changed lines beside each other, and gaps where one has none', () => {
    expect(diff('a\nb\nc', 'a\nB\nc')).toEqual([
      ['a', 'a', false],
      ['b', 'B', true],
      ['c', 'c', false],
    ]);
    expect(diff('a\nc\n', 'a\nb\nc\n')).toEqual([
      ['a', 'a', false],
      [null, 'b', true],
      ['c', 'c', false],
    ]);
  });

  it('show objects by key, and break the lines of the texts in them', () => {
    expect(diff({ prompt: 'one\ntwo', n: 1 }, { prompt: 'one\n2', n: 1 })).toEqual([
      ['{', '{', false],
      [`  "prompt": "one\\n`, `  "prompt": "one\\n`, false],
      ['two",', '2",', true],
      ['  "n": 1', '  "n": 1', false],
      ['}', '}', false],
    ]);
  });

  it('are equal where nothing differs', () => {
    expect(diff([1], [1]).every(([, , isChanged]) => isChanged === false)).toBe(true);
  });
});
