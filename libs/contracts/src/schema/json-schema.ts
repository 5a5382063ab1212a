import { fieldsOf, type Field } from '../validation/check.js';
import { acceptsUnknownFields, type Class, type JsonSchema } from '../validation/rule.js';
import { exampleOf } from './example.js';

/**
 * JSON Schemas of a DTO class and of all classes inside it, by class name, for `components.schemas` of OpenAPI 3.1.
 *
 * @param strict unknown fields are refused: true for bodies that are sent to us
 */
export function jsonSchemas(
  type: Class,
  strict: boolean,
  into: Record<string, JsonSchema> = {},
): Record<string, JsonSchema> {
  if (into[type.name]) return into;
  const fields = fieldsOf(type);
  const example = exampleOf(type);
  into[type.name] = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(fields.some((field) => !field.mayOmit) && {
      required: fields.filter((field) => !field.mayOmit).map(({ name }) => name),
    }),
    ...(strict && !acceptsUnknownFields(type) && { additionalProperties: false }),
    ...(example !== undefined && { examples: [example] }),
  };
  for (const { nested } of fields) if (nested) jsonSchemas(nested.type(), strict, into);
  return into;
}

function fieldSchema(field: Field): JsonSchema {
  const schema: JsonSchema = Object.assign({}, ...field.rules.map((rule) => rule.schema));
  if (field.nested) {
    const reference = { $ref: `#/components/schemas/${field.nested.type().name}` };
    if (!field.nested.isList) return field.mayBeNull ? { anyOf: [reference, { type: 'null' }] } : reference;
    Object.assign(schema, { type: 'array', items: reference });
  }
  if (!field.mayBeNull || schema['type'] === undefined) return schema;
  return {
    ...schema,
    type: [schema['type'], 'null'],
    ...(Array.isArray(schema['enum']) && { enum: [...(schema['enum'] as unknown[]), null] }),
  };
}
