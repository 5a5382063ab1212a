import { Prisma } from '@hone/database';

/** A digest of bytes as values name it, with nothing before or after it that could be a part of it. Of Postgres. */
export const DIGEST_IN_TEXT = '(?<![0-9A-Za-z])[0-9A-Za-z]{43}(?![0-9A-Za-z])';

/** One character less than a digest has, so that one which is cut between two chunks is found. */
const OVERLAP_BYTES = 42;

/** The ASCII characters of chunk `c`, and the begin of `n`, the one after it; other bytes are escaped. */
export const CHUNK_TEXT = `encode(c.bytes || coalesce(substring(n.bytes FROM 1 FOR ${OVERLAP_BYTES}), ''), 'escape')`;

/**
 * Marks the chunks of erased values, and the files that these values name, the large ones too. It reads the part
 * `erased (text, blob)` of the WITH clause that it stands in.
 */
export const markErased = (projectRowId: string): Prisma.Sql => Prisma.sql`
  INSERT INTO erased_digests (project_id, digest)
  SELECT ${projectRowId}::uuid, blob FROM erased WHERE blob IS NOT NULL
  UNION
  SELECT f.project_id, f.digest FROM (
      SELECT text FROM erased
      UNION ALL
      SELECT ${Prisma.raw(CHUNK_TEXT)} FROM (SELECT DISTINCT blob FROM erased) large
        JOIN blob_chunks c ON c.project_id = ${projectRowId}::uuid AND c.blob_key = large.blob
        LEFT JOIN blob_chunks n ON n.project_id = c.project_id AND n.blob_key = c.blob_key AND n.chunk_no = c.chunk_no + 1
    ) texts, regexp_matches(text, ${DIGEST_IN_TEXT}, 'g') AS found
    JOIN files f ON f.project_id = ${projectRowId}::uuid AND f.digest = found[1]
  WHERE EXISTS (SELECT FROM files WHERE project_id = ${projectRowId}::uuid)
  ON CONFLICT DO NOTHING`;
