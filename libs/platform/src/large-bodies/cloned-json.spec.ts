import { JsonNumber, type JsonObject, NonFiniteNumber, parseJson, stringifyJson } from '@hone/contracts';

import { fromClonable, toClonable } from './cloned-json.js';

const travelled = (value: unknown) => fromClonable(structuredClone(toClonable(value)));

describe('JSON between threads', () => {
  it.each([
    '{"a":1.0,"b":[12345678901234567890,-0,1E5],"c":{"lexeme":"1.0"},"d":null,"e":true,"f":"text"}',
    '{"__proto__":{"x":1.50}}',
    '[]',
  ])('keeps %s', async (text) => {
    expect(stringifyJson(await travelled(parseJson(text)))).toBe(text);
  });

  it('keeps long lists and objects, and those within them', async () => {
    const list = Array.from({ length: 1_000 }, (_, n) => ({ n: [n] }));
    const value = {
      list: [list, list],
      map: Object.fromEntries(list.map((item, n) => [`k${n}`, { item, list }]).slice(0, 300)),
    };
    expect(await travelled(value)).toEqual(value);
  });

  it('keeps numbers that are not finite', async () => {
    const { at } = (await travelled({ at: new NonFiniteNumber('-Infinity') })) as JsonObject;
    expect(at).toEqual(new NonFiniteNumber('-Infinity'));
  });

  it('keeps numbers of other text than a double prints', async () => {
    expect(await travelled(new JsonNumber('1.50'))).toBeInstanceOf(JsonNumber);
  });
});
