import fc from 'fast-check';

import { JsonNumber, type JsonValue, setKey } from './json-value.js';

/** Text of any UTF-16 units: controls, astral characters, halves of pairs. */
export const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(fc.constantFrom('\ud83d', '\ude00', '\ud83d\ude00', '\ue000', '\uffff', 'a', '"', '\\', '\u007f', '\n'))
    .map((parts) => parts.join('')),
);

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`));
const withoutZeros = (text: string) => text.replace(/^0+(?=.)/, '');

/** Numbers as people and programs write them: `-0`, `1.50`, `1E+05`, 60 digits. */
export const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.maxSafeInteger().map(String),
  fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }).map(String),
  fc.constantFrom(
    '-0',
    '0',
    '0.0',
    '-0.0',
    '-0e5',
    '1E5',
    '1e16',
    '9999999999999998.0',
    '1e-4',
    '0.0001',
    '0.00009',
    '5e-324',
    '1e23',
  ),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      digits(20),
      digits(20),
      fc.constantFrom('e', 'E', 'e+', 'E-', 'e-'),
      fc.integer({ min: 0, max: 280 }),
    )
    .map(([sign, whole, fraction, e, exponent]) => `${sign}${withoutZeros(whole)}.${fraction}${e}${exponent}`),
);

const toNumber = (lexeme: string) => (String(Number(lexeme)) === lexeme ? Number(lexeme) : new JsonNumber(lexeme));

/** Any JSON value as `parseJson` would return it. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    anyText,
    anyNumber.map(toNumber),
    fc.array(tie('value'), { maxLength: 5 }),
    fc
      .array(fc.tuple(fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor')), tie('value')), { maxLength: 5 })
      .map(toObject),
  ),
})).value;

function toObject(entries: [string, JsonValue][]): JsonValue {
  const object = {};
  for (const [key, value] of entries) setKey(object, key, value);
  return object;
}
