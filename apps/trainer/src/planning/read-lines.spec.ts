import { readLines } from './read-lines.js';

async function linesOf(chunks: Buffer[], maxLines = 10): Promise<string[]> {
  async function* bytes() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of readLines(bytes(), maxLines)) lines.push(line);
  return lines;
}
const whole = (text: string) => linesOf([Buffer.from(text)]);

describe('readLines', () => {
  it('ends lines at line feeds alone', async () => {
    expect(await whole('a\n"b\u2028c"\r\n\nd')).toEqual(['a', '"b\u2028c"', '', 'd']);
    expect(await whole('a\n')).toEqual(['a']);
    expect(await whole('')).toEqual([]);
  });

  it('does not mind where the chunks are cut', async () => {
    const bytes = Buffer.from('é€😀\nzwei');
    for (let at = 0; at <= bytes.length; at++) {
      expect(await linesOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(['é€😀', 'zwei']);
    }
  });

  it('counts', async () => {
    expect(await linesOf([Buffer.from('a\nb')], 2)).toEqual(['a', 'b']);
    await expect(linesOf([Buffer.from('a\nb\nc')], 2)).rejects.toMatchObject({ code: 'data.too_large' });
  });
});
