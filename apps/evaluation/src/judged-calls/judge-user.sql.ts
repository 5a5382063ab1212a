import { Prisma } from '@hone/database';

import { JUDGE_USERS } from './judge-user.js';

/** Whether `calls c` is none in which a judge asked a model. */
export const IS_NO_JUDGES_CALL = Prisma.sql`(c.end_user IS NULL OR c.end_user NOT LIKE ${JUDGE_USERS})`;
