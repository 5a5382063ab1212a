import { refOfCall } from '@hone/call-queries';
import type { ExportFeedbackDto } from '@hone/contracts';
import { Prisma } from '@hone/database';

/** Whether `feedback f` is as a body says. */
export function meets({ feedback_type, tags, rating }: ExportFeedbackDto): Prisma.Sql {
  const conditions = [Prisma.sql`f.feedback_type = ${feedback_type}`];
  if (tags?.length) conditions.push(Prisma.sql`f.scorer_tags && ${tags}::text[]`);
  if (rating)
    conditions.push(Prisma.sql`(f.scorer_ratings ->> ${rating.name})::float8
      BETWEEN coalesce(${rating.min ?? null}::float8, '-infinity') AND coalesce(${rating.max ?? null}::float8, 'infinity')`);
  return Prisma.join(conditions, ' AND ');
}

/** Whether `calls c` of the project `p` has feedback that meets a condition on `feedback f` and its project `p`. */
export const isJudged = (condition: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT 1 FROM feedback f
  WHERE f.project_id = c.project_id AND f.trace_ref = ${refOfCall(Prisma.sql`p.project_id`, Prisma.sql`c.id`)} AND ${condition})`;

/** All conditions; undefined: there is none. */
export function both(...conditions: (Prisma.Sql | undefined)[]): Prisma.Sql | undefined {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length ? Prisma.sql`(${Prisma.join(given, ') AND (')})` : undefined;
}
