import { Prisma } from '@hone/database';

/**
 * Id of the call in which a candidate of an evaluation on the server answered, as the attributes of its prediction name it:
 * of values `v`. Null: it is no such prediction, or the project keeps no chats.
 */
export const ASKED_CALL = Prisma.sql`nullif(split_part(v.attributes #>> '{evaluation,asked}', '/call/', 2), '')`;
