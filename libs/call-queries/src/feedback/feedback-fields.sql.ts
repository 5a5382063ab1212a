import { Prisma } from '@hone/database';

import { type FieldTable, resolveField } from '../expressions/fields.js';
import type { Operand } from '../expressions/operand.js';

/** Fields of a feedback record that may be asked for, in the order they are answered, and what their columns hold. */
export const FEEDBACK_FIELDS: FieldTable = {
  id: { kind: 'text', column: Prisma.sql`f.id`, isNeverNull: true },
  project_id: { kind: 'text', column: Prisma.sql`p.project_id`, isNeverNull: true },
  created_at: { kind: 'time', column: Prisma.sql`f.created_at`, isNeverNull: true },
  svc_user_id: { kind: 'text', column: Prisma.sql`f.svc_user_id::text`, isNeverNull: true },
  creator: { kind: 'text', column: Prisma.sql`f.creator` },
  feedback_type: { kind: 'text', column: Prisma.sql`f.feedback_type`, isNeverNull: true },
  trace_ref: { kind: 'ref', column: Prisma.sql`f.trace_ref`, isNeverNull: true },
  annotation_ref: { kind: 'ref', column: Prisma.sql`f.annotation_ref` },
  runnable_ref: { kind: 'ref', column: Prisma.sql`f.runnable_ref` },
  call_ref: { kind: 'ref', column: Prisma.sql`f.call_ref` },
  trigger_ref: { kind: 'ref', column: Prisma.sql`f.trigger_ref` },
  queue_id: { kind: 'text', column: Prisma.sql`f.queue_id` },
  payload: { kind: 'json', column: Prisma.sql`f.payload_json` },
  scorer_tags: { kind: 'list', column: Prisma.sql`f.scorer_tags` },
  scorer_tag_reasons: { kind: 'json', column: Prisma.sql`f.scorer_tag_reasons` },
  scorer_tag_confidences: { kind: 'json', column: Prisma.sql`f.scorer_tag_confidences` },
  scorer_ratings: { kind: 'json', column: Prisma.sql`f.scorer_ratings` },
  scorer_rating_reasons: { kind: 'json', column: Prisma.sql`f.scorer_rating_reasons` },
  scorer_rating_confidences: { kind: 'json', column: Prisma.sql`f.scorer_rating_confidences` },
  sdk_extras: { kind: 'json', column: Prisma.sql`f.sdk_extras` },
};

/** The fields of a record when none are named: without what only SDKs know. */
export const FEEDBACK_NAMES: readonly string[] = Object.keys(FEEDBACK_FIELDS).filter((name) => name !== 'sdk_extras');

/** The operand of a column, or of a dotted path into a JSON column; undefined when there is none. */
export const feedbackField = (name: string): Operand | undefined => resolveField(FEEDBACK_FIELDS, name);
