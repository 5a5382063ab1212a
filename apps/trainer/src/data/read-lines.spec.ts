import { readLines } from './read-lines.js';

async function linesOf(text: string, maxLines = 10): Promise<(string | null)[]> {
  async function* bytes() {
    yield Buffer.from(text);
  }
  const lines: (string | null)[] = [];
  for await (const line of readLines(bytes(), maxLines)) lines.push(line);
  return lines;
}

describe('readLines', () => {
  it('takes away either line break', async () => {
    expect(await linesOf('a\r\n\r\nb\nc\r')).toEqual(['a', '', 'b', 'c']);
  });

  it('counts', async () => {
    expect(await linesOf('a\nb', 2)).toEqual(['a', 'b']);
    await expect(linesOf('a\nb\nc', 2)).rejects.toMatchObject({ code: 'data.too_large' });
  });

  it('stops at a line that no conversation has', async () => {
    await expect(linesOf(`a\n${'x'.repeat(2 ** 26 + 1)}`)).rejects.toMatchObject({ code: 'data.too_large' });
  });
});
