import { Prisma } from '@hone/database';

import type { PlannedRun } from './run-plan.js';
import { trialsOf } from './trials.sql.js';

/** How many rows a run has. */
export interface StatusCounts {
  run: string;
  predicted: bigint;
  failed: bigint;
  missing: bigint | null;
  datasetRows: bigint | null;
}

/** How many rows each run has: `run, predicted, failed, missing, "datasetRows"`, whatever the filter says. */
export const countStatuses = (projectRowId: string, runs: readonly PlannedRun[]): Prisma.Sql => Prisma.sql`
  WITH ${trialsOf(projectRowId, runs)},
  entry AS (
    SELECT run, CASE WHEN bool_or(row_failed) THEN 'failed' ELSE 'predicted' END AS status, bool_and(names_row) AS names_row
    FROM trial GROUP BY run, digest
    UNION ALL SELECT run, 'missing', true FROM missing
  ),
  counted AS (
    SELECT run, count(*) FILTER (WHERE status = 'predicted') AS predicted, count(*) FILTER (WHERE status = 'failed') AS failed,
      count(*) FILTER (WHERE status = 'missing') AS missing, bool_and(names_row) AS names_row
    FROM entry GROUP BY run
  ),
  dataset AS (
    SELECT d.project_id, d.digest, count(DISTINCT u.digest) AS rows FROM table_chunks d
    CROSS JOIN LATERAL unnest(d.row_digests) AS u (digest)
    WHERE (d.project_id, d.digest) IN (SELECT table_project, table_digest FROM plan)
    GROUP BY d.project_id, d.digest
  )
  SELECT p.run, coalesce(c.predicted, 0) AS predicted, coalesce(c.failed, 0) AS failed, d.rows AS "datasetRows",
    CASE WHEN d.rows IS NOT NULL AND coalesce(c.names_row, true) THEN coalesce(c.missing, 0) END AS missing
  FROM plan p LEFT JOIN counted c ON c.run = p.run
  LEFT JOIN dataset d ON d.project_id = p.table_project AND d.digest = p.table_digest`;
