import { JsonNumber, type JsonObject, NonFiniteNumber, parseJson, stringifyJson } from '@hone/contracts';

import { fromClonable, toClonable } from './cloned-json.js';

const travelled = (value: unknown) => fromClonable(structuredClone(toClonable(value)));

describe('JSON between threads', () => {
  it.each([
    '{"a":1.0,"b":[12345678901234567890,-0,1E5],"c":{"lexeme":"1.0"},"d":null,"e":true,"f":"text"}',
    '{"__proto__":{"x":1.50}}',
    '[]',
  ])('keeps %s', (text) => {
    expect(stringifyJson(travelled(parseJson(text)))).toBe(text);
  });

  it('keeps numbers that are not finite', () => {
    const { at } = travelled({ at: new NonFiniteNumber('-Infinity') }) as JsonObject;
    expect(at).toEqual(new NonFiniteNumber('-Infinity'));
  });

  it('keeps numbers of other text than a double prints', () => {
    expect(travelled(new JsonNumber('1e400'))).toBeInstanceOf(JsonNumber);
  });
});
