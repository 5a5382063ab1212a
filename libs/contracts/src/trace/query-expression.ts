import { issue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { DATE_TIME, STORABLE_TEXT } from '../patterns/patterns.js';
import { schemaRef } from '../schema/descriptions.js';
import { fromRule, type JsonSchema } from '../validation/rule.js';

/** The fields of a kind of record, as expressions and sort orders may name them. */
export interface QueryFields {
  /** Name of the schema of its expressions, unique over the interface. */
  expression: string;
  /** Columns that hold text, a number, a list or a time. */
  plain: readonly string[];
  /** Columns of those that hold a time. */
  times: readonly string[];
  /** Columns of those that hold a list. */
  lists: readonly string[];
  /** Columns that hold JSON, so that a dotted path can go on into them. */
  json: readonly string[];
  /** Columns whose words `$search` finds; none: there is no `$search`. */
  searched: readonly string[];
  /** Name of the schema of what `$traceHas` asks of another call of the trace; absent: there is no `$traceHas`. */
  ofTrace?: string;
  /** The fields of what `$feedbackHas` asks; absent: there is no `$feedbackHas`. */
  ofFeedback?: QueryFields;
  /** Names for the documentation: a text, a path, and another such as a time. */
  examples: readonly [text: string, path: string, other: string];
}

const jsonPath = ({ json }: QueryFields): string => `(?:${json.join('|')})(?:\\.[^\\u0000]*)?`;

/** A column, or a dotted path into one that holds JSON, as a pattern. */
export const fieldNamePattern = (fields: QueryFields): string =>
  `^(?:${[...fields.plain, ...fields.times, ...fields.lists, ...(fields.json.length ? [jsonPath(fields)] : [])].join('|')})$`;

/** The fields of feedback records. */
export const FEEDBACK_QUERY_FIELDS: QueryFields = {
  expression: 'QueryExpression',
  plain: [
    ...['id', 'project_id', 'svc_user_id', 'creator', 'feedback_type', 'trace_ref', 'annotation_ref', 'runnable_ref'],
    ...['call_ref', 'trigger_ref', 'queue_id'],
  ],
  times: ['created_at'],
  lists: ['scorer_tags'],
  json: [
    ...['payload', 'scorer_tag_reasons', 'scorer_tag_confidences', 'scorer_ratings', 'scorer_rating_reasons'],
    'scorer_rating_confidences',
  ],
  searched: [],
  examples: ['feedback_type', 'payload.score', 'created_at'],
};

/** The fields of calls. */
export const CALL_QUERY_FIELDS: QueryFields = {
  expression: 'CallQueryExpression',
  plain: [
    ...['id', 'project_id', 'op_name', 'display_name', 'trace_id', 'parent_id', 'thread_id', 'turn_id', 'exception'],
    ...['svc_user_id', 'run_id', 'run_step', 'run_step_end'],
  ],
  times: ['started_at', 'ended_at'],
  lists: ['input_refs', 'output_refs'],
  json: ['attributes', 'inputs', 'output', 'summary'],
  searched: ['inputs', 'output'],
  ofTrace: 'TraceCallExpression',
  ofFeedback: FEEDBACK_QUERY_FIELDS,
  examples: ['op_name', 'inputs.question', 'started_at'],
};

/** The fields of rows of evaluations. */
export const ROW_QUERY_FIELDS: QueryFields = {
  expression: 'RowQueryExpression',
  ...{ plain: [], times: [], lists: [], json: ['inputs'], searched: [] },
  examples: ['inputs.language', 'inputs.question', 'inputs.tags'],
};

const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** The fields of prices. */
export const COST_QUERY_FIELDS: QueryFields = {
  expression: 'CostQueryExpression',
  plain: [
    'id',
    'project_id',
    'model',
    'provider_id',
    'prompt_token_cost',
    'completion_token_cost',
    'created_by',
  ].concat(['cache_read_input_token_cost', 'cache_creation_input_token_cost', 'reasoning_token_cost']),
  times: ['effective_date', 'created_at'],
  lists: [],
  json: [],
  searched: [],
  examples: ['model', 'prompt_token_cost', 'effective_date'],
};

const described = (description: string, schema: JsonSchema): JsonSchema => ({ description, ...schema });
const COMPARISONS = { $eq: 'equals', $gt: 'is above', $gte: 'is at least', $lt: 'is below', $lte: 'is at most' };
const LITERAL: JsonSchema = { type: ['string', 'number', 'boolean', 'null'], pattern: STORABLE_TEXT };
/** A text that is no time. */
const NO_TIME: JsonSchema = {
  type: 'object',
  properties: { $literal: { type: 'string', not: { pattern: DATE_TIME } } },
  required: ['$literal'],
};

const SEARCH_WORDS: JsonSchema = {
  ...{
    type: 'string',
    description: 'A text with at least one letter or digit.',
    minLength: 1,
    maxLength: 1_024,
  },
  ...{ pattern: '[\\p{L}\\p{N}]', examples: ['refund "next week"'] },
};

const searchOperator = (searched: readonly string[]): JsonSchema =>
  described('All of the words are in the inputs or the output, in any case; keys of objects are not searched.', {
    ...object(
      {
        words: described(
          'Words, at most 32. Those in double quotes, or without a space between them, must follow each other.',
          object({ $literal: SEARCH_WORDS }),
        ),
        input: described('Where to look. Absent: in all of these together.', {
          ...object({ $getField: { type: 'string', enum: [...searched], description: 'A column.' } }),
        }),
      },
      ['words'],
    ),
  });

const OF_TRACE = 'A call of the same trace, which may be the call itself, meets this condition. At most 4 in a query.';
const OF_FEEDBACK = 'A feedback record about the call meets this condition. At most 4 in a query.';

/** The expression, or a list with nothing else. */
const oneOf = (expression: JsonSchema): JsonSchema => ({
  anyOf: [expression, { type: 'array', prefixItems: [expression], minItems: 1, maxItems: 1 }],
});

function operators(fields: QueryFields, expression: JsonSchema): Record<string, JsonSchema> {
  const many: JsonSchema = { type: 'array', items: expression };
  /** A text beside it is a time. */
  const aTime: JsonSchema = object({ $getField: { enum: [...fields.times] } });
  const pair: JsonSchema = {
    type: 'array',
    prefixItems: [expression, expression],
    minItems: 2,
    maxItems: 2,
    ...(fields.times.length && {
      not: { anyOf: [{ prefixItems: [aTime, NO_TIME] }, { prefixItems: [NO_TIME, aTime] }] },
    }),
  };
  const listed = [...fields.lists, ...(fields.json.length ? [jsonPath(fields)] : [])];
  const sized: JsonSchema = object({
    $getField: {
      type: 'string',
      description: 'A column that holds a list.',
      pattern: `^(?:${listed.join('|')})$`,
      examples: [...fields.lists.slice(0, 1), ...fields.json.slice(0, 1).map((name) => `${name}.list`)],
    },
  });
  return {
    $and: described('All of these are true; an empty list is true.', many),
    $or: described('One of these is true; an empty list is false.', many),
    $not: described('This is false.', oneOf(expression)),
    ...Object.fromEntries(
      Object.entries(COMPARISONS).map(([operator, verb]) => [
        operator,
        described(`The first ${verb} the second.`, pair),
      ]),
    ),
    $in: described('The first is one of the literals, at most 1,000.', {
      type: 'array',
      prefixItems: [expression, { type: 'array', maxItems: 1_000, items: { properties: { $literal: LITERAL } } }],
      minItems: 2,
      maxItems: 2,
      ...(fields.times.length && { not: { prefixItems: [aTime, { type: 'array', contains: NO_TIME }] } }),
    }),
    $contains: described('The text `input` contains the text `substr`.', {
      ...object(
        {
          input: described('Text to look into.', expression),
          substr: described('Text to look for.', expression),
          case_insensitive: {
            type: ['boolean', 'null'],
            description: 'Whether case counts for nothing.',
            default: false,
          },
        },
        ['input', 'substr'],
      ),
    }),
    ...(fields.searched.length && { $search: searchOperator(fields.searched) }),
    ...(fields.ofTrace !== undefined && {
      $traceHas: described(OF_TRACE, oneOf(schemaRef({ name: fields.ofTrace }))),
    }),
    ...(fields.ofFeedback && {
      $feedbackHas: described(OF_FEEDBACK, oneOf(schemaRef({ name: fields.ofFeedback.expression }))),
    }),
    $convert: described('`input` as another type; what cannot be converted is null.', {
      ...object({
        input: described('What to convert.', expression),
        to: {
          type: 'string',
          enum: ['double', 'int', 'string', 'bool', 'exists'],
          description: 'Type of the outcome.',
        },
      }),
    }),
    ...(listed.length && {
      $size: described('Length of a list.', {
        ...oneOf(sized),
      }),
    }),
    $getField: described('A column, or a dotted path into one that holds JSON; `\\.` is a dot within a part.', {
      type: 'string',
      pattern: fieldNamePattern(fields),
      examples: [...fields.examples],
    }),
    $literal: described('A value.', LITERAL),
  };
}

const expressionPart = (fields: QueryFields) => ({
  name: fields.expression,
  schema: {
    type: 'object' as const,
    description: 'Exactly one operator with its operands.',
    minProperties: 1,
    maxProperties: 1,
    properties: operators(fields, schemaRef({ name: fields.expression })),
    additionalProperties: false,
    examples: [{ $eq: [{ $getField: fields.examples[0] }, { $literal: 'quality' }] }],
  },
});

/** A JSON object; whether it is an expression is checked where it is turned into a condition. */
export function IsExpression(fields: QueryFields): PropertyDecorator {
  const { ofTrace, ...others } = fields;
  const parts = [
    expressionPart(fields),
    ...(ofTrace ? [expressionPart({ ...others, expression: ofTrace })] : []),
    ...(fields.ofFeedback ? [expressionPart(fields.ofFeedback)] : []),
  ];
  return fromRule({
    name: 'isJsonObject',
    issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
    schema: schemaRef({ name: fields.expression }),
    parts: () => parts,
  });
}
