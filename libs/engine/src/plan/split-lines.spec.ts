import { splitLines } from './split-lines.js';

async function linesOf(chunks: Buffer[], maxCharacters?: number): Promise<string[]> {
  async function* bytes() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of splitLines(bytes(), maxCharacters)) lines.push(line);
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

  it('takes a line of the longest length, and no longer one', async () => {
    expect(await linesOf([Buffer.from('abc\nde'), Buffer.from('f')], 3)).toEqual(['abc', 'def']);
    await expect(linesOf([Buffer.from('a\nbc'), Buffer.from('de')], 3)).rejects.toMatchObject({
      code: 'data.too_large',
      message: 'A line of the training data has more than 3 characters.',
    });
  });
});
