import { Prisma } from '@hone/database';

import { type JobStage, statusesOf } from './job-statuses.js';

/** `('preparing', 'running', …)`, as literals: the planner compares them with the conditions of partial indexes. */
const statusList = (...stages: readonly JobStage[]): Prisma.Sql =>
  Prisma.raw(
    `(${statusesOf(...stages)
      .map((status) => `'${status}'`)
      .join(', ')})`,
  );

/** For `status IN …`: a worker holds the job's lease. */
export const ACTIVE_STATUSES = statusList('active');
/** For `status IN …`: the job has not ended yet. */
export const OPEN_STATUSES = statusList('queued', 'active');
/** For `status IN …`: the job has ended. */
export const TERMINAL_STATUSES = statusList('over');
