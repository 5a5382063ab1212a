import { readPromptLine, readPromptLines } from './prompt-lines.js';

const ASKED = { messages: [{ role: 'user', content: 'hi' }], expected: 'x' };
const text = (...lines: unknown[]) => lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));

describe('the lines of prompts', () => {
  it('are read with their columns, and blank ones passed over', async () => {
    const asked = JSON.stringify(ASKED);
    expect(await readPromptLines([`\ufeff${asked}`, '', asked])).toEqual([asked, asked]);
    expect(readPromptLine(asked)).toEqual({ row: ASKED, messages: ASKED.messages });
  });

  it('may be a text, which a user asks', () => {
    const row = { prompt: 'hi', answer: 1 };
    expect(readPromptLine(JSON.stringify(row))).toMatchObject({ messages: [{ role: 'user', content: 'hi' }] });
  });

  it('keep numbers as they were written', () => {
    const { row } = readPromptLine('{"prompt":"a","expected":1.0}') as { row: Record<string, unknown> };
    expect(String(row['expected'])).toBe('1.0');
  });

  it.each([
    ['{', 'not a JSON object'],
    ['[1]', 'not a JSON object'],
    ['{}', 'neither messages nor a prompt'],
    ['{"messages":[]}', 'neither messages nor a prompt'],
    ['{"messages":"hi"}', 'neither messages nor a prompt'],
    ['{"messages":null,"prompt":"hi"}', 'neither messages nor a prompt'],
    ['{"prompt":7}', 'neither messages nor a prompt'],
    ['{"messages":["hi"]}', 'a message has no role'],
    ['{"messages":[{"role":1}]}', 'a message has no role'],
    [`{"prompt":"a","deep":${'['.repeat(70)}${']'.repeat(70)}}`, 'nested deeper than 64 levels'],
  ])('%s is none', (line, wrong) => {
    expect(readPromptLine(line)).toBe(wrong);
  });

  it('are named where they are bad, counted as editors do', async () => {
    await expect(readPromptLines([...text(ASKED, '', '{', '{}'), null])).rejects.toMatchObject({
      code: 'data.bad_line',
      locs: [3, 4, 5].map((number) => ['line', number]),
    });
  });

  it('are at least one', async () => {
    await expect(readPromptLines(['', ' '])).rejects.toMatchObject({ code: 'data.empty' });
  });
});
