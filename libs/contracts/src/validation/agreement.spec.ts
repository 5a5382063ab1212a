import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';

import { FeedbackBatchDto, FeedbackCreateDto } from '../trace/feedback.dto.js';
import { ObjectQueryDto } from '../trace/objects.dto.js';
import { check } from './check.js';
import type { Class } from './rule.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

/** What class-validator itself says of a body. */
function isValid(type: Class, body: object): boolean {
  const instance = plainToInstance(type, body);
  return validateSync(instance, { whitelist: true, forbidNonWhitelisted: true }).length === 0;
}

const REF = 'hone:///acme/demo/call/c1';
const FEEDBACK: Record<string, unknown[]> = {
  id: ['fb-1', null, '', 'x'.repeat(129), 'a\u0000'],
  project_id: ['acme/demo', 'acme', 'a b/c', ''],
  trace_ref: [REF, 'hone:///acme/demo/object/a:v0', 'other', 'hone:///acme/demo/thing/a'],
  creator: ['me', null, 'x'.repeat(1_025)],
  feedback_type: ['quality', 'hone.note.1', '', 'x'.repeat(257)],
  payload: [{}, { a: [1, { b: null }] }, [], null],
  annotation_ref: ['hone:///acme/demo/object/a:v0', null, REF],
  runnable_ref: ['hone:///acme/demo/op/a:v0', null, REF],
  call_ref: [REF, null, 'hone:///acme/demo/op/a:v0'],
  trigger_ref: ['hone:///acme/demo/object/a:v0', null, ''],
  queue_id: ['q', null, ''],
  scorer_tags: [[], ['a', 'a'], ['a', 1], null],
  scorer_tag_reasons: [{}, { a: 'b' }, { a: 1 }, null],
  scorer_tag_confidences: [{ a: 0 }, { a: 1 }, { a: 1.01 }, { a: '1' }, null],
  scorer_ratings: [{ a: 0.5 }, { a: -0.1 }, []],
  scorer_rating_reasons: [{ a: '' }, { a: '\ud800' }],
  scorer_rating_confidences: [{ a: 1 }, { a: Number.NaN }],
  svc_user_id: ['someone', null, 7],
};
const JUNK = ['x', '', 0, 1, -1, 0.5, true, false, null, [], {}, [null], { a: 1 }];

/** Bodies that are mostly right: each field absent, from its own list, or junk; now and then an unknown field. */
function bodies(fields: Record<string, unknown[]>): fc.Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(fields).map(([name, values]) =>
    fc
      .oneof(
        { weight: 12, arbitrary: fc.constant(values[0]) },
        { weight: 2, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom(...values) },
        { weight: 1, arbitrary: fc.constantFrom(...JUNK) },
      )
      .map((value) => [name, value] as const),
  );
  const unknown = fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.constantFrom(...JUNK).map((value) => [['unknown', value] as const]) },
  );
  return fc
    .tuple(fc.tuple(...entries), unknown)
    .map(([known, more]) => Object.fromEntries([...known, ...more].filter(([, value]) => value !== undefined)));
}

function agree(type: Class, arbitrary: fc.Arbitrary<object>): Record<'valid' | 'invalid', number> {
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(arbitrary, (body) => {
      const valid = check(type, body).issues.length === 0;
      seen[valid ? 'valid' : 'invalid']++;
      expect(isValid(type, structuredClone(body))).toBe(valid);
    }),
    { numRuns: 3_000 },
  );
  return seen;
}

describe('check and class-validator agree on what is valid', () => {
  it('in one feedback body', () => {
    const seen = agree(FeedbackCreateDto, bodies(FEEDBACK));
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(100);
  });

  it('in a batch', () => {
    const required = ['project_id', 'trace_ref', 'feedback_type', 'payload'];
    const fields = Object.fromEntries(required.map((name) => [name, FEEDBACK[name] as unknown[]]));
    const batch = fc.oneof(
      { weight: 8, arbitrary: fc.array(bodies(fields), { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constantFrom<unknown>('x', 1, {}) },
    );
    const seen = agree(FeedbackBatchDto, fc.record({ batch }));
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(100);
  });

  it('in a query with a nested filter and list', () => {
    const fields = {
      project_id: ['acme/demo', ''],
      filter: [{ latest_only: true, object_ids: ['a'] }, null, { object_ids: [1] }, { x: 1 }],
      limit: [10, null, -1, 2_147_483_648, 1.5],
      sort_by: [[{ field: 'created_at', direction: 'asc' }], null, [{ field: 'digest', direction: 'asc' }], [{}]],
      metadata_only: [true, null, 1],
    };
    const seen = agree(ObjectQueryDto, bodies(fields));
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(100);
  });
});
