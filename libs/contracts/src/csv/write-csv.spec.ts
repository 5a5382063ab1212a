import { readCsv } from './read-csv.js';
import { writeCsv } from './write-csv.js';

const cellOf = (text: string): string => writeCsv([[text]]).slice(0, -'\r\n'.length);

describe('a table as CSV', () => {
  it('has a line for each record, and quotes where a cell needs them', () => {
    expect(
      writeCsv([
        ['a', 'b'],
        ['say "hi", you', ''],
        ['x\ny', '1'],
      ]),
    ).toBe('a,b\r\n"say ""hi"", you",\r\n"x\ny",1\r\n');
  });

  it.each([
    '=1+1',
    '=HYPERLINK("http://x")',
    '+cmd',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '=',
    '-',
    '-Infinity',
    '+1 2',
  ])('has no formula: %j', (text) => {
    const cell = cellOf(text);
    expect(cell.replace(/^"/, '')).toMatch(/^'/);
    const [row] = readCsv(`name\r\n${cell}\r\n`).toRows();
    expect(row).toEqual({ name: `'${text}` });
  });

  it.each(['0', '-5', '+1.5', '-0.000027', '1e3', '-1E-9', '.5'])('has numbers as they are: %s', (text) => {
    expect(cellOf(text)).toBe(text);
  });

  it.each(['gpt-4', "'quoted", ' =1', 'a=1', '2026-11-29', ''])('has other texts as they are: %j', (text) => {
    expect(cellOf(text)).toBe(text);
  });
});
