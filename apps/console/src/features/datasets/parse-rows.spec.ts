import { JsonNumber } from '@hone/client';

import { formatOf, parseJsonLines, parseRows } from './parse-rows.js';

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

  it('of CSV have quotes, line breaks and types', async () => {
    const text = 'q,a,ok\n"two, ""quoted""\nlines",4,true\nplain,04x,no\n\n';
    expect(await parseRows(text, 'csv', true)).toEqual([
      { q: 'two, "quoted"\nlines', a: 4, ok: true },
      { q: 'plain', a: '04x', ok: 'no' },
    ]);
    expect((await parseRows(text, 'csv', false))[0]).toMatchObject({ a: '4', ok: 'true' });
  });

  it('of CSV with one column need no delimiter', async () => {
    expect(await parseRows('q\none\ntwo', 'csv', true)).toEqual([{ q: 'one' }, { q: 'two' }]);
  });

  it('of CSV with missing cells are refused by number', async () => {
    await expect(parseRows('a,b\n1,2\n3', 'csv', true)).rejects.toThrow(/^Row 2: Too few fields/);
  });
});

it('the name of a file says what it holds', () => {
  expect(['a.csv', 'b.TSV', 'c.jsonl', 'd.ndjson', 'e'].map(formatOf)).toEqual([
    ...['csv', 'csv', 'jsonl', 'jsonl', 'jsonl'],
  ]);
});
