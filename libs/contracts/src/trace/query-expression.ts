import { isJsonObject } from '../json/json-value.js';
import { schemaRef } from '../schema/descriptions.js';
import { DATE_TIME, STORABLE_TEXT } from '../patterns/patterns.js';
import { issue } from '../issues/issue.js';
import { fromRule, type JsonSchema } from '../validation/rule.js';

/** Columns of feedback records that hold text, a time, or a list. */
const PLAIN_COLUMNS = [
  ...['id', 'project_id', 'created_at', 'svc_user_id', 'creator', 'feedback_type', 'trace_ref', 'annotation_ref'],
  ...['runnable_ref', 'call_ref', 'trigger_ref', 'queue_id', 'scorer_tags'],
];
/** Columns that hold JSON, so that a dotted path can go on into them. */
const JSON_COLUMNS = [
  ...['payload', 'scorer_tag_reasons', 'scorer_tag_confidences', 'scorer_ratings', 'scorer_rating_reasons'],
  'scorer_rating_confidences',
];
const JSON_PATH = `(?:${JSON_COLUMNS.join('|')})(?:\\.[^\\u0000\\ud800-\\udfff]*)?`;
/** A column, or a dotted path into one that holds JSON. */
export const FIELD_NAME = `^(?:${PLAIN_COLUMNS.join('|')}|${JSON_PATH})$`;

const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const NAME = 'QueryExpression';
const EXPRESSION = schemaRef({ name: NAME });
const ONE: JsonSchema = { anyOf: [EXPRESSION, { type: 'array', prefixItems: [EXPRESSION], minItems: 1, maxItems: 1 }] };
const MANY: JsonSchema = { type: 'array', items: EXPRESSION };
const LITERAL: JsonSchema = { type: ['string', 'number', 'boolean', 'null'], pattern: STORABLE_TEXT };

/** A text beside `created_at` is a time. */
const CREATED_AT: JsonSchema = { const: { $getField: 'created_at' } };
const NO_TIME: JsonSchema = {
  type: 'object',
  properties: { $literal: { type: 'string', not: { pattern: DATE_TIME } } },
  required: ['$literal'],
};
const PAIR: JsonSchema = {
  type: 'array',
  prefixItems: [EXPRESSION, EXPRESSION],
  minItems: 2,
  maxItems: 2,
  not: { anyOf: [{ prefixItems: [CREATED_AT, NO_TIME] }, { prefixItems: [NO_TIME, CREATED_AT] }] },
};
const SIZED: JsonSchema = object({
  $getField: {
    type: 'string',
    description: 'A column that holds a list.',
    pattern: `^(?:scorer_tags|${JSON_PATH})$`,
    examples: ['scorer_tags', 'payload.list'],
  },
});

const described = (description: string, schema: JsonSchema): JsonSchema => ({ description, ...schema });
const COMPARISONS = { $eq: 'equals', $gt: 'is above', $gte: 'is at least', $lt: 'is below', $lte: 'is at most' };

const OPERATORS: Record<string, JsonSchema> = {
  $and: described('All of these are true; an empty list is true.', MANY),
  $or: described('One of these is true; an empty list is false.', MANY),
  $not: described('This is false.', ONE),
  ...Object.fromEntries(
    Object.entries(COMPARISONS).map(([operator, verb]) => [operator, described(`The first ${verb} the second.`, PAIR)]),
  ),
  $in: described('The first is one of the literals, at most 1,000.', {
    type: 'array',
    prefixItems: [EXPRESSION, { type: 'array', maxItems: 1_000, items: { properties: { $literal: LITERAL } } }],
    minItems: 2,
    maxItems: 2,
    not: { prefixItems: [CREATED_AT, { type: 'array', contains: NO_TIME }] },
  }),
  $contains: described('The text `input` contains the text `substr`.', {
    ...object(
      {
        input: described('Text to look into.', EXPRESSION),
        substr: described('Text to look for.', EXPRESSION),
        case_insensitive: {
          type: ['boolean', 'null'],
          description: 'Whether case counts for nothing.',
          default: false,
        },
      },
      ['input', 'substr'],
    ),
  }),
  $convert: described('`input` as another type; what cannot be converted is null.', {
    ...object({
      input: described('What to convert.', EXPRESSION),
      to: { type: 'string', enum: ['double', 'int', 'string', 'bool', 'exists'], description: 'Type of the outcome.' },
    }),
  }),
  $size: described('Length of a list.', {
    anyOf: [SIZED, { type: 'array', prefixItems: [SIZED], minItems: 1, maxItems: 1 }],
  }),
  $getField: described('A column, or a dotted path into one that holds JSON; `\\.` is a dot within a part.', {
    type: 'string',
    pattern: FIELD_NAME,
    examples: ['feedback_type', 'created_at', 'payload.score', 'scorer_ratings.overall'],
  }),
  $literal: described('A value.', LITERAL),
};

const QUERY_EXPRESSION = {
  name: NAME,
  schema: {
    type: 'object',
    description: 'Exactly one operator with its operands.',
    minProperties: 1,
    maxProperties: 1,
    properties: OPERATORS,
    additionalProperties: false,
    examples: [{ $eq: [{ $getField: 'feedback_type' }, { $literal: 'quality' }] }],
  },
};

/** A JSON object; whether it is an expression is checked where it is turned into a condition. */
export const IsExpression = (): PropertyDecorator =>
  fromRule({
    name: 'isJsonObject',
    issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
    schema: EXPRESSION,
    parts: () => [QUERY_EXPRESSION],
  });
