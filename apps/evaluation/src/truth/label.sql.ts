import { parseFieldPath } from '@hone/call-queries';
import type { JudgeTruthDto } from '@hone/contracts';
import { Prisma } from '@hone/database';

/** A longer text is no label. */
const MAX_LABEL = 1_024;
const DEFAULT_PATH = 'value';

/** JSON text of what stands at the path in the payload of `feedback f`. */
export function labelOf({ path: dotted }: JudgeTruthDto): Prisma.Sql {
  const { column, path } = parseFieldPath(dotted ?? DEFAULT_PATH);
  const text = Prisma.sql`(f.payload_json #> ${[column, ...path]}::text[])::text`;
  return Prisma.sql`CASE WHEN length(${text}) <= ${MAX_LABEL} THEN ${text} END`;
}
