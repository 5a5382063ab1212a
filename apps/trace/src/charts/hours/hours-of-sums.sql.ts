import { Prisma } from '@hone/database';

import { isWithin, type TimeRange } from '../../time-buckets/time-buckets.sql.js';

/** The hours of the days that have sums: `hour`, and its `day` in UTC. */
export const hoursOfSums = (projectRowId: string, range: Pick<TimeRange, 'start' | 'end'>): Prisma.Sql => Prisma.sql`
  SELECT day, hour FROM (
    SELECT DISTINCT since AS day FROM call_sums WHERE project_id = ${projectRowId}::uuid AND period = 'day'
      AND since >= date_trunc('day', ${range.start}::timestamptz, 'UTC') AND since < ${range.end}) d,
    LATERAL (SELECT day + n * interval '1 hour' AS hour FROM generate_series(0, 23) n) h
  WHERE ${isWithin(Prisma.sql`hour`, range)}`;
