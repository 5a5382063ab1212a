import * as contracts from '../index.js';
import { check } from '../validation/check.js';
import type { Class } from '../validation/rule.js';
import { exampleOf } from './example.js';
import { jsonSchemas } from './json-schema.js';

describe('jsonSchemas', () => {
  const schemas = jsonSchemas(contracts.FeedbackBatchDto, true);

  it('covers a class and those inside it', () => {
    expect(Object.keys(schemas)).toEqual(['FeedbackBatchDto', 'FeedbackCreateDto']);
    expect(schemas['FeedbackBatchDto']).toMatchObject({
      type: 'object',
      properties: { batch: { type: 'array', items: { $ref: '#/components/schemas/FeedbackCreateDto' } } },
      required: ['batch'],
      additionalProperties: false,
    });
  });

  it('says which fields of a feedback body are required and which may be null', () => {
    const { properties, required } = schemas['FeedbackCreateDto'] as {
      properties: Record<string, { type: unknown }>;
      required: string[];
    };
    expect(required).toEqual(['project_id', 'feedback_type', 'payload']);
    expect(Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, type]))).toEqual({
      id: ['string', 'null'],
      project_id: 'string',
      trace_ref: 'string',
      completion_id: ['string', 'null'],
      creator: ['string', 'null'],
      feedback_type: 'string',
      payload: 'object',
      annotation_ref: ['string', 'null'],
      runnable_ref: ['string', 'null'],
      call_ref: ['string', 'null'],
      trigger_ref: ['string', 'null'],
      queue_id: ['string', 'null'],
      scorer_tags: 'array',
      scorer_tag_reasons: 'object',
      scorer_tag_confidences: 'object',
      scorer_ratings: 'object',
      scorer_rating_reasons: 'object',
      scorer_rating_confidences: 'object',
      svc_user_id: ['string', 'null'],
    });
    expect(properties['scorer_ratings']).toEqual({
      description: 'Rating name -> rating, 0 to 1. Absent: none.',
      type: 'object',
      propertyNames: { pattern: '^[^\\u0000]*$' },
      additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
    });
  });

  it('lets answers grow', () => {
    expect(jsonSchemas(contracts.FeedbackCreateResultDto, false)['FeedbackCreateResultDto']).not.toHaveProperty(
      'additionalProperties',
    );
  });

  it('adds null to a nullable reference and to a nullable word', () => {
    const { ObjectQueryDto } = jsonSchemas(contracts.ObjectQueryDto, true);
    expect(ObjectQueryDto).toMatchObject({
      properties: { filter: { anyOf: [{ $ref: '#/components/schemas/ObjectFilterDto' }, { type: 'null' }] } },
    });
    const { ApiKeyCreateDto } = jsonSchemas(contracts.ApiKeyCreateDto, true);
    expect(ApiKeyCreateDto).toMatchObject({
      properties: { chat_defaults: { type: ['string', 'null'], enum: ['openai', 'listed', null] } },
    });
  });
});

describe('every example', () => {
  const classes = Object.values(contracts).filter(
    (value): value is Class => typeof value === 'function' && exampleOf(value as Class) !== undefined,
  );

  it('is of many', () => expect(classes.length).toBeGreaterThan(10));

  it.each(classes.map((type) => [type.name, type] as const))('of %s is valid', (_name, type) => {
    expect(check(type, exampleOf(type)).issues).toEqual([]);
  });
});
