import { Prisma } from '@hone/database';

/** A time that is counted, and how it is cut. */
export interface TimeRange {
  start: Date;
  /** Excluded. */
  end: Date;
  granularitySeconds: number;
  timezone: string;
}

/** Whether a time is within a range. */
export const isWithin = (time: Prisma.Sql, { start, end }: Pick<TimeRange, 'start' | 'end'>): Prisma.Sql =>
  Prisma.sql`${time} >= ${start} AND ${time} < ${end}`;

/** Buckets of the first times that there are begin with the year 1: earlier ones have no ISO 8601 form. */
const FIRST = Prisma.sql`timestamptz '0001-01-01T00:00:00Z'`;

/** The start of the bucket of a time. Buckets are cut in local time, so that a day begins at midnight. */
export const bucketOf = (
  time: Prisma.Sql,
  { granularitySeconds, timezone }: Pick<TimeRange, 'granularitySeconds' | 'timezone'>,
): Prisma.Sql =>
  Prisma.sql`greatest(${FIRST}, date_bin(make_interval(secs => ${granularitySeconds}::int),
    ${time} AT TIME ZONE ${timezone}::text, '2000-01-01'::timestamp) AT TIME ZONE ${timezone}::text)`;
