import { Prisma } from '@hone/database';

/** Which records are meant. Refs are without their scheme. */
export interface FeedbackSelection {
  start: Date | undefined;
  /** Excluded. */
  end: Date | undefined;
  feedbackType: string | undefined;
  /** One that ends in `:*` stands for all versions. */
  triggerRef: string | undefined;
}

/** Conditions on `feedback f`, each with its AND. */
export function toConditions({ start, end, feedbackType, triggerRef }: FeedbackSelection): Prisma.Sql {
  const conditions: Prisma.Sql[] = [];
  if (start) conditions.push(Prisma.sql`AND f.created_at >= ${start}`);
  if (end) conditions.push(Prisma.sql`AND f.created_at < ${end}`);
  if (feedbackType !== undefined) conditions.push(Prisma.sql`AND f.feedback_type = ${feedbackType}`);
  if (triggerRef?.endsWith(':*'))
    conditions.push(Prisma.sql`AND starts_with(f.trigger_ref, ${triggerRef.slice(0, -1)})`);
  else if (triggerRef !== undefined) conditions.push(Prisma.sql`AND f.trigger_ref = ${triggerRef}`);
  return conditions.length ? Prisma.join(conditions, ' ') : Prisma.empty;
}
