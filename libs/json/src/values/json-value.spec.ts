import { parseJson } from '../parse/parse-json.js';
import { toPlainJson } from './json-value.js';

describe('toPlainJson', () => {
  it('gives plain numbers and keeps __proto__ an own key', () => {
    const plain = toPlainJson(parseJson('{"__proto__":[1.0,{"a":1e2}]}')) as object;
    expect(Object.entries(plain)).toEqual([['__proto__', [1, { a: 100 }]]]);
  });
});
