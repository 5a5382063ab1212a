import * as contracts from '../index.js';
import type { Class, JsonSchema } from '../validation/rule.js';
import { jsonSchemas } from './json-schema.js';

const CLASSES = Object.entries(contracts).filter(
  (entry): entry is [string, Class] => typeof entry[1] === 'function' && entry[0].endsWith('Dto'),
);
/** All schemas of bodies and queries, inline objects of known fields included, by where they are. */
const SCHEMAS = Object.assign({}, ...CLASSES.map(([, type]) => jsonSchemas(type, false))) as Record<string, JsonSchema>;

const fieldsWithoutDescription = (path: string, schema: JsonSchema): string[] => {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const inside = [schema['items'], ...((schema['anyOf'] ?? []) as unknown[])].filter((one) => typeof one === 'object');
  return [
    ...properties.filter(([, field]) => !isSentence(field['description'])).map(([name]) => `${path}.${name}`),
    ...properties.flatMap(([name, field]) => fieldsWithoutDescription(`${path}.${name}`, field)),
    ...inside.flatMap((one) => fieldsWithoutDescription(path, one as JsonSchema)),
  ];
};

/** A start in upper case or code, more than one word, and a full stop. */
const isSentence = (text: unknown): boolean => typeof text === 'string' && /^[A-Z`{][^]* [^]*[.)]$/.test(text);

describe('the documentation of bodies', () => {
  it('is of many classes', () => expect(Object.keys(SCHEMAS).length).toBeGreaterThan(90));

  it.each(Object.entries(SCHEMAS))('says what %s is, and what each of its fields means', (name, schema) => {
    expect([name, isSentence(schema['description'])]).toEqual([name, true]);
    expect(fieldsWithoutDescription(name, schema)).toEqual([]);
  });

  it('has no list of types within a list of types', () => {
    expect(JSON.stringify(SCHEMAS)).not.toMatch(/"type":\[[^\]]*\[/);
  });

  it('refers to schemas that are there', () => {
    const names = [...JSON.stringify(SCHEMAS).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    expect(names.filter((name) => !Object.hasOwn(SCHEMAS, name as string))).toEqual([]);
  });
});
