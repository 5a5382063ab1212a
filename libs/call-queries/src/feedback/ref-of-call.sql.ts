import { Prisma } from '@hone/database';

/**
 * What `feedback.trace_ref` holds of a call. Ids of calls have another collation than the index of these refs, which serves
 * only where its own is named.
 *
 * @param projectId `<entity>/<project>`, or what gives it
 */
export const refOfCall = (projectId: Prisma.Sql | string, callId: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`((${projectId}::text || '/call/' || ${callId}) COLLATE "default")`;
