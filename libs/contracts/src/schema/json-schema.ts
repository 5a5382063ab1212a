import { type Field, fieldsOf } from '../validation/check.js';
import { acceptsUnknownFields, type Class, type JsonSchema } from '../validation/rule.js';
import { constraintOf } from './constraint.js';
import { describeField, describeType, schemaRef } from './descriptions.js';
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
  const description = describeType(type.name);
  const constraint = constraintOf(type);
  into[type.name] = {
    type: 'object',
    ...(description && { description }),
    properties: Object.fromEntries(fields.map((field) => [field.name, describedFieldSchema(type, field)])),
    ...(fields.some(isRequired) && { required: fields.filter(isRequired).map(({ name }) => name) }),
    ...(strict && !acceptsUnknownFields(type) && { additionalProperties: false }),
    ...constraint?.schema,
    ...(example !== undefined && { examples: [example] }),
  };
  const inside = [
    ...fields.flatMap(({ nested }) => (nested ? [nested.type()] : [])),
    ...fields.flatMap(({ rules }) => rules.flatMap((rule) => rule.parts?.() ?? [])),
    ...(constraint?.parts?.() ?? []),
  ];
  for (const part of inside) {
    if (typeof part === 'function') jsonSchemas(part, strict, into);
    else into[part.name] ??= part.schema;
  }
  return into;
}

const isRequired = ({ mayOmit, unless }: Field): boolean => !mayOmit && unless === undefined;

/** The schema of a field with its doc comment, which ends with what a rule has to say. */
export function describedFieldSchema(type: Class, field: Field): JsonSchema {
  const schema = fieldSchema(field);
  const description = [describeField(type, field.name), schema['description']].filter(Boolean).join(' ');
  return { ...(description && { description }), ...omit(schema, 'description') };
}

function fieldSchema(field: Field): JsonSchema {
  const schema: JsonSchema = Object.assign({}, ...field.rules.map((rule) => rule.schema));
  if (field.nested) {
    const reference = schemaRef(field.nested.type());
    if (!field.nested.isList)
      return field.mayBeNull ? { ...schema, ...orNull({ anyOf: [reference] }) } : { ...schema, ...reference };
    Object.assign(schema, { type: 'array', items: reference });
  }
  return field.mayBeNull ? orNull(schema) : schema;
}

const NULL = { type: 'null' };

/** The same schema, which null meets as well. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, enum: words } = schema;
  if (Array.isArray(anyOf)) {
    const hasNull = anyOf.some((one: JsonSchema) => [one['type']].flat().includes('null'));
    return hasNull ? schema : { ...schema, anyOf: [...(anyOf as unknown[]), NULL] };
  }
  if (type === undefined && schema['$ref'] !== undefined)
    return { ...omit(schema, '$ref'), anyOf: [{ $ref: schema['$ref'] }, NULL] };
  if (type === undefined) return schema;
  return {
    ...schema,
    type: type === 'null' ? type : [...new Set([type, 'null'].flat())],
    ...(Array.isArray(words) && { enum: [...new Set([...(words as unknown[]), null])] }),
  };
}

function omit(schema: JsonSchema, key: string): JsonSchema {
  const { [key]: _left, ...rest } = schema;
  return rest;
}
