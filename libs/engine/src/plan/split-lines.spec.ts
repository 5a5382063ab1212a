import { splitLines } from './split-lines.js';

async function linesOf(chunks: Buffer[], maxBytes?: number): Promise<(string | null)[]> {
  async function* bytes() {
    yield* chunks;
  }
  const lines: (string | null)[] = [];
  for await (const line of splitLines(bytes(), maxBytes)) lines.push(line);
  return lines;
}

describe('splitLines', () => {
  it('ends lines at line feeds alone', async () => {
    expect(await linesOf([Buffer.from('a\n"b\u2028c"\r\n\nd')])).toEqual(['a', '"b\u2028c"\r', '', 'd']);
    expect(await linesOf([Buffer.from('a\n')])).toEqual(['a']);
    expect(await linesOf([])).toEqual([]);
  });

  it('does not mind where the chunks are cut', async () => {
    const bytes = Buffer.from('é€😀\nzwei');
    for (let at = 0; at <= bytes.length; at++) {
      expect(await linesOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(['é€😀', 'zwei']);
    }
    expect(await linesOf(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(['é€😀', 'zwei']);
  });

  it.each([
    ['a byte that begins nothing', [0xff]],
    ['a character that is cut off', [0xe2, 0x82]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['an overlong form', [0xc0, 0xaf]],
  ])('gives null for a line with %s, and the lines around it', async (_, bad) => {
    const bytes = Buffer.from([0x61, 0x0a, 0x62, ...bad, 0x0a, 0x63]);
    for (let at = 0; at <= bytes.length; at++) {
      expect(await linesOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(['a', null, 'c']);
    }
  });

  it('takes a line of the longest length, and no longer one', async () => {
    expect(await linesOf([Buffer.from('abc\nde'), Buffer.from('f')], 3)).toEqual(['abc', 'def']);
    await expect(linesOf([Buffer.from('a\nbc'), Buffer.from('de')], 3)).rejects.toMatchObject({
      code: 'data.too_large',
      message: 'A line of the training data has more than 3 bytes.',
    });
  });
});
