import { stringifyJson } from '../json/index.js';
import type { CsvType } from './csv-types.js';
import { readCsv } from './read-csv.js';

const column = (...cells: string[]) => readCsv(['a,b', ...cells.map((cell) => `${cell},x`)].join('\n'));

describe('readCsv', () => {
  it('keeps every cell as the text that was written', () => {
    const cells = ['02139', '1.10', '1e5', '12345678901234567890', ' 4', 'true', '-0'];
    expect(
      column(...cells)
        .toRows()
        .map(({ a }) => a),
    ).toEqual(cells);
  });

  it.each<[string[], CsvType]>([
    [['1', '-2', '0', '0.5'], 'number'],
    [['true', 'false'], 'boolean'],
    [['10001', '02139'], 'text'],
    [['1', '"2"'], 'text'],
    [['1.1', '1.10'], 'text'],
    [['1', '1e5'], 'text'],
    [['1e+21'], 'text'],
    [['9007199254740993'], 'text'],
    [['-0'], 'text'],
    [['+1'], 'text'],
    [['1.'], 'text'],
    [['.5'], 'text'],
    [['1', ''], 'text'],
    [['1', ' 2'], 'text'],
    [['1', 'x'], 'text'],
    [['1', 'true'], 'text'],
    [['true', 'TRUE'], 'text'],
    [['"true"'], 'text'],
    [['NaN'], 'text'],
    [['Infinity'], 'text'],
    [[], 'text'],
  ])('proposes for the cells %j the type %s', (cells, type) => {
    expect(column(...cells).proposedTypes['a']).toBe(type);
  });

  it('proposes only types from which each cell can be written back', () => {
    const cells = ['1', '-2', '0.5', '123456.789', '9007199254740991'];
    const table = column(...cells);
    expect(table.toRows(table.proposedTypes).map(({ a }) => stringifyJson(a))).toEqual(cells);
  });

  it('makes numbers of a column that is chosen as numbers, with their digits', () => {
    const cells = ['02139', '1.10', '1e5', '12345678901234567890', '+.5', '-7.', '-.5e1', '"0042"', ' 4 ', ''];
    expect(
      stringifyJson(
        column(...cells)
          .toRows({ a: 'number' })
          .map(({ a }) => a),
      ),
    ).toBe('[2139,1.10,1e5,12345678901234567890,0.5,-7,-0.5e1,42,4,null]');
  });

  it('makes booleans of a column that is chosen as such', () => {
    expect(
      column('TRUE', 'false', '')
        .toRows({ a: 'boolean' })
        .map(({ a }) => a),
    ).toEqual([true, false, null]);
  });

  it.each<[string, CsvType]>([
    ['x', 'number'],
    ['0x10', 'number'],
    ['Infinity', 'number'],
    ['1,5', 'number'],
    ['1', 'boolean'],
  ])('names the line and the column of %j, which is no %s', (cell, type) => {
    expect(() => column('', `"${cell}"`).toRows({ a: type })).toThrow(
      `Line 3: ${JSON.stringify(cell)} in the column "a" is no ${type}.`,
    );
  });

  it('refuses a type for a column that there is not', () => {
    expect(() => column('1').toRows({ A: 'number' })).toThrow('There is no column "A".');
  });

  it.each(['__proto__', 'constructor', 'toString'])('keeps a column named %s', (name) => {
    const table = readCsv(`${name},b\n1,x`);
    expect(Object.entries(table.proposedTypes)).toEqual([
      [name, 'number'],
      ['b', 'text'],
    ]);
    expect(table.toRows(table.proposedTypes).map((row) => Object.entries(row))).toEqual([
      [
        [name, 1],
        ['b', 'x'],
      ],
    ]);
    expect(table.toRows().map((row) => Object.entries(row)[0])).toEqual([[name, '1']]);
  });

  it('trims blanks around the names of columns', () => {
    expect(readCsv(' a ,"\tb ", \n1,2,3').columns).toEqual(['a', 'b', '']);
  });

  it.each([
    ['a,b, a\n1,2,3', 'Two columns are named "a".'],
    ['a,b\n1,2\n"x\ny",4\n3', 'Line 5 has 1 cells, and there are 2 columns.'],
    ['a,b\r\n1,2,3', 'Line 2 has 3 cells, and there are 2 columns.'],
    ['a,b\n1,"2\n3,4\n', 'Line 2: a quote is opened, and not closed.'],
    ['a,b\n1,"2"3\n', 'Line 2: text follows a closing quote.'],
  ])('says why %j is no table', (text, message) => {
    expect(() => readCsv(text)).toThrow(message);
  });

  it('reads quotes, line breaks, blanks after quotes, and quotes within cells', () => {
    expect(readCsv('q,a\r\n"two, ""quoted""\r\nlines" ,5" disk\r\n"",x').toRows()).toEqual([
      { q: 'two, "quoted"\r\nlines', a: '5" disk' },
      { q: '', a: 'x' },
    ]);
  });

  it.each(['\n', '\r\n', '\r'])('ends lines at %j, and leaves blank ones out', (end) => {
    expect(readCsv(['', 'a,b', '1,2', '', ' , ', '3,', ''].join(end)).toRows()).toEqual([
      { a: '1', b: '2' },
      { a: '3', b: '' },
    ]);
  });

  it.each([',', ';', '\t', '|'])('finds the delimiter %j', (delimiter) => {
    const text = `a${delimiter}"b,;c,;d"\n"1"${delimiter}2`;
    expect(readCsv(text).toRows()).toEqual([{ a: '1', 'b,;c,;d': '2' }]);
  });

  it('takes the delimiter that is named', () => {
    expect(readCsv('a,b,c\td', { delimiter: '\t' }).columns).toEqual(['a,b,c', 'd']);
  });

  it('reads a table of one column, and one of no row', () => {
    expect(readCsv('q\none').toRows()).toEqual([{ q: 'one' }]);
    expect(readCsv('').toRows()).toEqual([]);
  });

  it('reads bytes in the encoding that is named', () => {
    const bytes = Buffer.from('caf\xe9,b\n\x80,x', 'latin1');
    expect(() => readCsv(bytes)).toThrow('choose Windows-1252');
    expect(readCsv(bytes, { encoding: 'windows-1252' }).toRows()).toEqual([{ café: '€', b: 'x' }]);
  });

  it('reads a first line of two million cells in quotes, which one regular expression cannot', () => {
    expect(() => readCsv('"a";'.repeat(2_000_000))).toThrow('Two columns are named "a"');
  });

  it.each([
    ['a,b\n1,2\n', 4, null],
    ['a,b\n1,2\n', 3, 'Line 2: the table has more than 3 cells.'],
    ['a,b\n1,2,3,4,5,6,7,8', 6, 'Line 2: the table has more than 6 cells.'],
    ['a,b\n,\n\n1,2', 4, null],
  ])('%j with at most %d cells: %s', (text, maxCells, refusal) => {
    let message: string | null = null;
    try {
      readCsv(text, { maxCells });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toBe(refusal);
  });
});
