import { JsonText } from './json-text.js';
import { searchJson } from './search-json.js';

const VALUE = { a: [1.5, { deep: 'Needle' }, 'x'], needle: 'needle', b: { __proto__x: true, n: null }, c: 'é"\n' };

const search = (wanted: string, most = 100, value: unknown = VALUE) => {
  const json = new JsonText(JSON.stringify(value));
  return searchJson(json, json.root, wanted, most);
};

describe('the search in JSON', () => {
  it('finds keys and texts whatever their case, each member once', () => {
    expect(search('NEEDLE')).toEqual([[0, 1, 0], [1]]);
  });

  it.each([
    ['1.5', [[0, 0]]],
    ['true', [[2, 0]]],
    ['__proto__', [[2, 0]]],
    ['É"\n', [[3]]],
    ['\\n', []],
    ['[', []],
    ['"', [[3]]],
  ])('finds %j at %j', (wanted, paths) => expect(search(wanted)).toEqual(paths));

  it('is within the value that it is asked for', () => {
    const json = new JsonText(JSON.stringify({ outside: 'x', inside: { k: 'x' }, after: 'x' }));
    expect(searchJson(json, json.memberAt(json.root, 'inside') as number, 'x', 9)).toEqual([[0]]);
  });

  it('ends when there are enough', () => {
    expect(search('x', 3, Array(100).fill('x'))).toEqual([[0], [1], [2]]);
  });

  it.each([
    ['text', 'ex'],
    [12, '1'],
    [null, 'null'],
  ])('takes %j itself for a hit', (value, wanted) => {
    expect(search(wanted, 9, value)).toEqual([[]]);
    expect(search('other', 9, value)).toEqual([]);
  });

  it('is fast where it finds nothing', () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'some words', list: [1, 2, 3] }));
    const before = process.cpuUsage();
    expect(search('nowhere', 9, rows)).toEqual([]);
    // Work, not time, which other processes take, too.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });
});
