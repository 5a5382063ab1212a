import type { JsonNumber } from '@hone/client';

import { formatOf, parseJsonLines, readRowsFile } from './parse-rows.js';

describe('rows of a file', () => {
  it('of JSON lines keep their digits; blank lines and a byte order mark are none', () => {
    const [first, second] = parseJsonLines('\ufeff{"a":12345678901234567890}\r\n\n{"b":[]}\n');
    expect((first?.['a'] as JsonNumber).text).toBe('12345678901234567890');
    expect(second).toEqual({ b: [] });
  });

  it.each([
    ['{"a":1}\n[1]', 'Line 2 is no JSON object.'],
    ['{"a":1}\n\n{"b":', 'Line 3 is no JSON.'],
  ])('say at which line %j is none', (text, message) => {
    expect(() => parseJsonLines(text)).toThrow(message);
  });

  it('of CSV are text as it was written, unless a column is chosen as another type', () => {
    const file = readRowsFile(Buffer.from('zip,a,ok,__proto__\n02139,4,true,x\n10001,5,false,y\n'), 'a.csv', 'utf-8');
    expect(file.toRows({})[0]).toMatchObject({ zip: '02139', a: '4', ok: 'true' });
    expect(file.toRows(file.proposedTypes ?? {}).map((row) => Object.entries(row))[1]).toEqual([
      ['zip', '10001'],
      ['a', 5],
      ['ok', false],
      ['__proto__', 'y'],
    ]);
  });

  it('of JSON lines have no types to choose', () => {
    const { proposedTypes, toRows } = readRowsFile(Buffer.from('{"a":1}\n'), 'a.jsonl', 'utf-8');
    expect([proposedTypes, toRows({})]).toEqual([null, [{ a: 1 }]]);
  });

  it.each([
    ['a.csv', 'q\ncaf\xe9'],
    ['a.jsonl', '{"q":"caf\xe9"}'],
  ])('of %s that is not UTF-8 are refused, and read as what is chosen', (name, text) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(() => readRowsFile(bytes, name, 'utf-8')).toThrow('choose Windows-1252');
    expect(readRowsFile(bytes, name, 'windows-1252').toRows({})).toEqual([{ q: 'café' }]);
  });
});

it('the name of a file says what it holds', () => {
  expect(['a.csv', 'b.TSV', 'c.jsonl', 'd.ndjson', 'e'].map(formatOf)).toEqual([
    ...['csv', 'csv', 'jsonl', 'jsonl', 'jsonl'],
  ]);
});
