import { TRAINING_JOB_EVENT_TYPES } from '@hone/contracts';
import { Prisma } from '@hone/database';

import { isLastEvent } from './job-events.js';

/** For `type IN …`: no event of the job comes after one of these. */
export const LAST_EVENTS = Prisma.raw(
  `(${TRAINING_JOB_EVENT_TYPES.filter(isLastEvent)
    .map((type) => `'${type}'`)
    .join(', ')})`,
);
