/** A field, values just inside of its range, and values just outside or of another type with the issue of each. */
export type FieldCase = [field: string, inside: unknown[], outside: [value: unknown, issue: string][]];

export const number = (field: string, inside: number[], outside: [number, string][]): FieldCase => [
  field,
  inside,
  [...outside, ...['1', true, [], {}].map((value): [unknown, string] => [value, 'float_type'])],
];
export const integer = (field: string, inside: number[], outside: [number, string][]): FieldCase => [
  field,
  inside,
  [...outside, ...['1', true, 1.5, []].map((value): [unknown, string] => [value, 'int_type'])],
];
export const flag = (field: string, inside: boolean[] = [true, false]): FieldCase => [
  field,
  inside,
  [0, 1, 'true', []].map((value): [unknown, string] => [value, 'bool_type']),
];
export const object = (field: string): FieldCase => [
  field,
  [{}],
  [[], 'x', 1, true].map((value): [unknown, string] => [value, 'dict_type']),
];
