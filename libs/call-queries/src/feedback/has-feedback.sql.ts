import { Prisma } from '@hone/database';

import { refOfCall } from './ref-of-call.sql.js';

/**
 * How calls with feedback are found. `walk`: the records of each call that the query comes to are looked up, which is fast
 * where many calls have such feedback, as a page is soon full. `ids`: few calls have it, these, which are of these traces.
 */
export type FeedbackWay =
  | { readonly kind: 'walk' }
  | { readonly kind: 'ids'; readonly ids: readonly string[]; readonly traceIds: readonly string[] };

/** The condition of a `$feedbackHas`, on `feedback f` of a project `p`. */
export interface FeedbackCondition {
  readonly condition: Prisma.Sql;
  /** It limits the traces that a `$traceHas` around it is true of. */
  readonly limitsTrace: boolean;
}

const REF = refOfCall(Prisma.sql`p.project_id`, Prisma.sql`c.id`);

/**
 * Whether `calls c` of a project `p` has a record that meets a condition on `feedback f`. The offset keeps the planner, which
 * takes conditions on payloads for rarer than they are, from reading all feedback first.
 */
export const hasFeedback = (condition: Prisma.Sql, way: FeedbackWay): Prisma.Sql =>
  way.kind === 'ids'
    ? Prisma.sql`c.id = ANY(${[...way.ids]}::text[])`
    : Prisma.sql`EXISTS (SELECT FROM feedback f
        WHERE f.project_id = c.project_id AND f.trace_ref = ${REF} AND ${condition}
        OFFSET 0)`;
