import { pack, sharedPrefix } from './packing.js';

/** A letter is trained, anything else is context: `.1a` has two tokens of context. Ids are the characters. */
const sequence = (text: string) => ({
  ids: Array.from(text, (character) => character.charCodeAt(0)),
  mask: Array.from(text, (character): 0 | 1 => (/[a-z]/.test(character) ? 1 : 0)),
});
const plain = (length: number, mark: string) => sequence(`.${mark.repeat(length - 1)}`);
const lengths = (rows: { ids: number[] }[][]) => rows.map((row) => row.map(({ ids }) => ids.length));

describe('sharedPrefix', () => {
  it.each([
    ['ends one token before the first trained one', ['....ab', '....ac'], 3],
    ['ends one token before the first difference', ['..1..a', '..2..a'], 1],
    ['of one sequence ends before what it trains', ['....a'], 3],
    ['is never negative', ['a', 'b'], 0],
    ['goes by the sequence that trains first', ['......a', '..a....'], 1],
  ])('%s', (_, texts, expected) => {
    expect(sharedPrefix(texts.map(sequence))).toBe(expected);
  });
});

describe('pack', () => {
  it('takes groups by their longest sequence and the row with least room that fits', () => {
    const groups = [[plain(3, 'c')], [plain(6, 'a')], [plain(5, 'b')], [plain(2, 'd')]];
    // 6 opens a row, 5 another; 3 fits the fuller one (4 left), 2 then the other (5 left), for 1 is left in the first.
    expect(lengths(pack(groups, 10))).toEqual([
      [6, 3],
      [5, 2],
    ]);
  });

  it('keeps the order of groups of equal length', () => {
    const rows = pack([[plain(4, 'a')], [plain(4, 'b')]], 4);
    expect(rows.map((row) => row[0]?.ids[1])).toEqual(['a'.charCodeAt(0), 'b'.charCodeAt(0)]);
  });

  it('counts the shared prefix of a group once in a row', () => {
    const group = ['.....a', '.....b', '.....c'].map(sequence);
    // A prefix of 4: 6 + 2 + 2 tokens.
    expect(lengths(pack([group], 10))).toEqual([[6, 6, 6]]);
    expect(lengths(pack([group], 9))).toEqual([[6, 6], [6]]);
  });

  it('counts the prefix again in another row', () => {
    const group = ['.....a', '.....b', '.....c', '.....d'].map(sequence);
    expect(lengths(pack([group], 7))).toEqual([[6], [6], [6], [6]]);
  });

  it('makes no rows of nothing', () => {
    expect(pack([], 10)).toEqual([]);
  });
});
