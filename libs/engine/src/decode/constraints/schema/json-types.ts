import type { SchemaNode } from './schema-node.js';

const JSON_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** Keywords that constrain values of one type and ignore others. */
const TYPE_KEYWORDS: Record<JsonType, readonly string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  boolean: [],
  null: [],
};
export const ALL_TYPE_KEYWORDS = [...new Set(Object.values(TYPE_KEYWORDS).flat())];

/**
 * The types that a schema's values may have, null: any. Without `type`, its keywords imply the type:
 * `minLength` alone describes strings. Other types would be valid, too; fewer are generated, never a wrong one.
 */
export function typesOf(schema: SchemaNode): readonly JsonType[] | null {
  const stated = schema.values['type'];
  if (stated !== undefined) {
    const types = Array.isArray(stated) ? stated : [stated];
    if (types.length > 0 && types.every(isJsonType)) return types;
    return schema.invalid('type', `is one of ${JSON_TYPES.join(', ')}, or a list of them`);
  }
  const implied = JSON_TYPES.filter((type) => type !== 'integer' && TYPE_KEYWORDS[type].some((key) => schema.has(key)));
  return implied.length === 0 ? null : implied;
}

export function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isJsonType(type: unknown): type is JsonType {
  return (JSON_TYPES as readonly unknown[]).includes(type);
}
