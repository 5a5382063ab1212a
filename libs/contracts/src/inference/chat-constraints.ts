import type { JsonSchema } from '../validation/rule.js';

/**
 * What `chat-combinations.ts` checks, as far as JSON Schema can say it. It cannot compare two numbers, look at the last
 * item of a list, or find a name in another list.
 */
const field = (name: string, schema: JsonSchema): JsonSchema => ({
  properties: { [name]: schema },
  required: [name],
});
const isGiven = (name: string) => field(name, { not: { type: 'null' } });
const is = (name: string, value: unknown) => field(name, { const: value });
const allOf = (...schemas: JsonSchema[]): JsonSchema => ({ allOf: schemas });
const anyOf = (...schemas: JsonSchema[]): JsonSchema => ({ anyOf: schemas });
const not = (schema: JsonSchema): JsonSchema => ({ not: schema });

/** A member of `structured_outputs` that asks for something: absent, null and false ask for nothing. */
const asks = (name: string) => field(name, { not: { enum: [null, false] } });
const SHAPES = ['json', 'regex', 'choice', 'grammar', 'json_object', 'structural_tag'].map(asks);
const MODIFIERS = [
  ...['disable_fallback', 'disable_any_whitespace', 'disable_additional_properties'].map((name) => is(name, true)),
  isGiven('whitespace_pattern'),
];

/** Of `structured_outputs`: one shape, or neither a shape nor a modifier. */
export const STRUCTURED_OUTPUTS: JsonSchema = {
  oneOf: [...SHAPES, not(anyOf(...SHAPES, ...MODIFIERS))],
};

const isTruthy = (name: string) => field(name, { not: { enum: [null, false, 0, ''] } });

/** Of `response_format`: what a type needs beside it. */
export const RESPONSE_FORMAT: JsonSchema = {
  allOf: [
    { if: is('type', 'json_schema'), then: isGiven('json_schema') },
    {
      if: is('type', 'structural_tag'),
      then: anyOf(...['structural_tag', 'format', 'structures'].map(isTruthy)),
    },
  ],
};

const isStructured = field('structured_outputs', { type: 'object', ...anyOf(...SHAPES) });
const hasOtherFormat = field('response_format', {
  type: 'object',
  ...anyOf(
    field('type', { enum: ['json_object', 'json_schema', 'structural_tag'] }),
    allOf(not(isGiven('type')), isGiven('json_schema')),
  ),
});
const isAllowed = (mode: JsonSchema) => allOf(is('type', 'allowed_tools'), field('allowed_tools', field('mode', mode)));
const isForced = field(
  'tool_choice',
  anyOf({ const: 'required' }, { type: 'object', ...not(isAllowed({ not: { const: 'required' } })) }),
);
const hasItems = (name: string) => field(name, { type: 'array', minItems: 1 });
const needs = (choice: string, list: string): JsonSchema => ({
  if: field(choice, { not: { enum: [null, 'none'] } }),
  then: hasItems(list),
});

export const CHAT_COMPLETION: JsonSchema = {
  allOf: [
    { if: field('top_logprobs', { type: 'integer', not: { const: 0 } }), then: is('logprobs', true) },
    {
      if: is('stream', true),
      then: not(anyOf(field('prompt_logprobs', { type: 'integer' }), is('use_beam_search', true))),
    },
    {
      if: field('stream_options', {
        type: 'object',
        ...anyOf(...['include_usage', 'continuous_usage_stats'].map(isGiven)),
      }),
      then: is('stream', true),
    },
    not(field('stream_options', allOf(is('include_usage', false), is('continuous_usage_stats', true)))),
    not(allOf(isStructured, anyOf(hasOtherFormat, isForced))),
    needs('tool_choice', 'tools'),
    needs('function_call', 'functions'),
    not(allOf(hasItems('tools'), hasItems('functions'))),
    not(allOf(is('continue_final_message', true), is('add_generation_prompt', true))),
    {
      if: field('repetition_detection', field('max_pattern_size', { type: 'integer', minimum: 1 })),
      then: field('repetition_detection', field('min_count', { type: 'integer', minimum: 2 })),
    },
  ],
};
