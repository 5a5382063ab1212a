import { Prisma } from '@hone/database';

import type { Visible } from './training-access.js';

/** Names that narrow a list; absent: they do not. */
export interface ProjectNames {
  readonly entity?: string | undefined;
  readonly project?: string | undefined;
}

/** Conditions on entities `e` and projects `p`: those that a list may show, narrowed by names. */
export const visibleConditions = (
  { entities, only }: Visible,
  { entity, project }: ProjectNames = {},
): Prisma.Sql[] => [
  ...(entities ? [Prisma.sql`e.name = ANY (${[...entities]})`] : []),
  ...(only ? [Prisma.sql`e.name = ${only.entity} AND p.name = ${only.project}`] : []),
  ...(entity === undefined ? [] : [Prisma.sql`e.name = ${entity}`]),
  ...(project === undefined ? [] : [Prisma.sql`p.name = ${project}`]),
];
