import { Prisma } from '@hone/database';

/** Where a page of cells ends. */
export interface CellPlace {
  readonly rowDigest: string;
  readonly trial: number;
  readonly scorer: number;
}

/** A page of the settled cells of a candidate, in the order of the unique index of cells, by which it is read. */
export const settledPage = (jobId: string, candidate: number, after: CellPlace, most: number): Prisma.Sql => Prisma.sql`
  SELECT row_digest AS "rowDigest", trial, scorer, state, result, cost_nano_usd::float8 AS "costNanoUsd" FROM evaluation_cells
  WHERE job_id = ${jobId}::uuid AND candidate = ${candidate} AND settled_at IS NOT NULL
    AND (row_digest, trial, scorer) > (${after.rowDigest}, ${after.trial}, ${after.scorer})
  ORDER BY row_digest, trial, scorer LIMIT ${most}`;
