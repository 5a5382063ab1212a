import type { ChatFunction } from '@hone/contracts';

type Json = Record<string, unknown>;

/** Keywords whose value is a schema, a list of them, or schemas by name. */
const SCHEMA = ['items', 'additionalProperties', 'additionalItems', 'contains', 'not', 'if', 'then', 'else'];
const SCHEMA_LIST = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'];
const SCHEMA_MAP = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
/** A schema with one of these keywords already restricts the type of its values. */
const KINDS = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'const', 'enum'];

/**
 * The schema of a call of one of the tools: `{"name": …, "<argumentsKey>": …}`.
 *
 * @param tools at least one
 */
export function callSchema(tools: readonly ChatFunction[], argumentsKey: string): object {
  return {
    anyOf: tools.map(({ name, parameters }, index) => ({
      type: 'object',
      properties: {
        name: { const: name },
        [argumentsKey]: rebased(anObject(parameters ?? {}), `/anyOf/${index}/properties/${argumentsKey}`),
      },
      required: ['name', argumentsKey],
      additionalProperties: false,
    })),
  };
}

/** Maps a JSON pointer into {@link callSchema} to the index of the tool and the pointer into its parameters. */
export function locateInTools(pointer: string): { tool: number; pointer: string } {
  const [, tool, rest] = /^\/anyOf\/(\d+)(?:\/properties\/[^/]+)?(.*)$/s.exec(pointer) ?? [];
  return { tool: Number(tool ?? 0), pointer: rest ?? '' };
}

/** Adds `type: object` to a schema without a type: arguments are always an object. */
function anObject(parameters: Json): Json {
  return KINDS.some((keyword) => Object.hasOwn(parameters, keyword)) ? parameters : { ...parameters, type: 'object' };
}

/** Prefixes the references of a schema with `base`, the JSON pointer at which the schema is inserted. */
function rebased(schema: unknown, base: string): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, member(keyword, value, base)]));
}

function member(keyword: string, value: unknown, base: string): unknown {
  if (keyword === '$ref' && typeof value === 'string' && /^#(\/|$)/.test(value)) return `#${base}${value.slice(1)}`;
  if (SCHEMA_LIST.includes(keyword) && Array.isArray(value)) return value.map((item) => rebased(item, base));
  if (SCHEMA_MAP.includes(keyword) && typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, rebased(item, base)]));
  }
  return SCHEMA.includes(keyword) ? rebased(value, base) : value;
}
