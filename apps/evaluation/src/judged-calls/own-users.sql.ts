import { Prisma } from '@hone/database';

import { JUDGES, OWN_USERS } from './own-users.js';

/** Whether `calls c` is none in which this service asked a model. */
export const IS_TRAFFIC = Prisma.sql`(c.end_user IS NULL OR c.end_user NOT LIKE ALL(${OWN_USERS}::text[]))`;

/** Whether `calls c` is none in which a judge was asked. */
export const IS_NO_JUDGES_CALL = Prisma.sql`(c.end_user IS NULL OR c.end_user NOT LIKE ${JUDGES})`;
