import type { JsonSchema } from '../validation/rule.js';

const REFERENCES = ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'];
const SCORER_LISTS = ['scorer_tags'];
const SCORER_MAPS = [
  'scorer_tag_reasons',
  'scorer_tag_confidences',
  'scorer_ratings',
  'scorer_rating_reasons',
  'scorer_rating_confidences',
];

const each = (fields: readonly string[], schema: JsonSchema): JsonSchema =>
  Object.fromEntries(fields.map((field) => [field, schema]));
const absent = (...fields: string[]) => each(fields, { type: 'null' });
const needed = (...fields: string[]): JsonSchema => ({
  properties: each(fields, { type: 'string' }),
  required: fields,
});
const NO_SCORER: JsonSchema = { ...each(SCORER_LISTS, { maxItems: 0 }), ...each(SCORER_MAPS, { maxProperties: 0 }) };

const ofType = (type: JsonSchema, then: JsonSchema): JsonSchema => ({
  if: { properties: { feedback_type: type }, required: ['feedback_type'] },
  then,
});
const payloadWith = (field: string, schema: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { [field]: schema },
  required: [field],
});

/** A text, or a message of the assistant with content or tool calls. */
const CORRECTED: JsonSchema = {
  anyOf: [
    { type: 'string', minLength: 1 },
    {
      type: 'object',
      properties: { role: { const: 'assistant' } },
      required: ['role'],
      anyOf: [
        {
          properties: {
            content: {
              anyOf: [
                { type: 'string', minLength: 1 },
                { type: 'array', minItems: 1 },
              ],
            },
          },
          required: ['content'],
        },
        { properties: { tool_calls: { type: 'array', minItems: 1 } }, required: ['tool_calls'] },
      ],
    },
  ],
};

/** Two calls of the project, the better one of which is what is judged. */
const PREFERENCE: JsonSchema = {
  type: 'object',
  properties: {
    chosen: { type: 'string', description: 'Ref of the call with the better answer, the same as `trace_ref`.' },
    rejected: { type: 'string', description: 'Ref of the call with the other answer.' },
    reason: { type: ['string', 'null'], maxLength: 1_024, description: 'Why. Absent or null: it is not said.' },
  },
  required: ['chosen', 'rejected'],
};

/**
 * What the fields of feedback demand of each other, those of reserved types above all. That a ref names what the type
 * names, JSON Schema cannot say.
 */
export const FEEDBACK_RULES: JsonSchema = {
  allOf: [
    // What is judged is named one way or the other.
    {
      if: needed('trace_ref'),
      then: { properties: absent('completion_id') },
      else: needed('completion_id'),
    },
    ofType(
      { const: 'hone.note.1' },
      {
        properties: {
          payload: payloadWith('note', { type: 'string', minLength: 1, maxLength: 1_024 }),
          ...absent(...REFERENCES),
          ...NO_SCORER,
        },
      },
    ),
    ofType(
      { const: 'hone.reaction.1' },
      {
        properties: {
          payload: payloadWith('emoji', { type: 'string', description: 'Exactly one emoji.' }),
          ...absent(...REFERENCES),
          ...NO_SCORER,
        },
      },
    ),
    ofType(
      { const: 'hone.correction.1' },
      {
        properties: { payload: payloadWith('output', CORRECTED), ...absent(...REFERENCES), ...NO_SCORER },
      },
    ),
    ofType(
      { const: 'hone.preference.1' },
      { allOf: [{ properties: { payload: PREFERENCE, ...absent(...REFERENCES), ...NO_SCORER } }, needed('trace_ref')] },
    ),
    ofType(
      { const: 'hone.agent_monitor' },
      { allOf: [{ properties: absent('annotation_ref') }, needed('runnable_ref', 'call_ref', 'trigger_ref')] },
    ),
    ofType(
      { const: 'hone.agent_user_feedback' },
      {
        properties: { ...absent(...REFERENCES), scorer_tags: { type: 'array', minItems: 1 } },
        required: ['scorer_tags'],
      },
    ),
    { properties: { feedback_type: { not: { pattern: '^hone\\.(?:annotation|runnable)\\.?$' } } } },
    ofType(
      { pattern: '^hone\\.annotation\\.' },
      { allOf: [{ properties: { payload: payloadWith('value', {}), ...NO_SCORER } }, needed('annotation_ref')] },
    ),
    ofType(
      { pattern: '^hone\\.runnable\\.' },
      {
        allOf: [
          { properties: { payload: payloadWith('output', {}), ...absent('annotation_ref') } },
          needed('runnable_ref'),
        ],
      },
    ),
  ],
};
