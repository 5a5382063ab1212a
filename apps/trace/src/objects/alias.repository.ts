import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** An object of a project. */
export interface ObjectKey {
  projectRowId: string;
  objectId: string;
}

/** Which aliases of an object are meant: those with these names, those of these versions. */
export type AliasFilter = { aliases: string[]; movedTo?: string } | { digests: string[] };

const ofObject = ({ projectRowId, objectId }: ObjectKey): Prisma.Sql =>
  Prisma.sql`project_id = ${projectRowId}::uuid AND object_id = ${objectId}`;

/** What aliases, and `latest`, have named in the course of time. Changes need the lock of the object's head. */
@Injectable()
export class AliasRepository {
  constructor(private readonly database: Database) {}

  /** A protected alias among those that are meant; null: there is none. */
  async findProtected(object: ObjectKey, filter: AliasFilter): Promise<string | null> {
    const isMeant =
      'digests' in filter
        ? Prisma.sql`digest = ANY(${filter.digests})`
        : Prisma.sql`alias = ANY(${filter.aliases}) AND digest IS DISTINCT FROM ${filter.movedTo ?? null}::text`;
    const rows = await this.database.client.$queryRaw<{ alias: string }[]>`
      SELECT alias FROM object_aliases WHERE ${ofObject(object)} AND protected AND ${isMeant} ORDER BY alias LIMIT 1`;
    return rows[0]?.alias ?? null;
  }

  /** Notes what these aliases name now, where that has changed. */
  async noteAliases(object: ObjectKey, aliases: string[], actorId: string): Promise<void> {
    const now = Prisma.sql`SELECT DISTINCT sent.alias, (
        SELECT digest FROM object_aliases WHERE ${ofObject(object)} AND alias = sent.alias) AS digest
      FROM unnest(${aliases}::text[]) AS sent (alias)`;
    await this.note(object, now, new Date(), actorId);
  }

  /** Notes which version is the latest now, if that has changed. */
  async noteLatest(object: ObjectKey, at: Date, actorId: string): Promise<void> {
    const now = Prisma.sql`SELECT 'latest' AS alias, latest_digest AS digest FROM object_heads WHERE ${ofObject(object)}`;
    await this.note(object, now, at, actorId);
  }

  /** The moves of one alias never go back in time, whatever the clocks of the processes say. */
  private async note(object: ObjectKey, now: Prisma.Sql, at: Date, actorId: string): Promise<void> {
    const { projectRowId, objectId } = object;
    await this.database.client.$executeRaw`
      INSERT INTO alias_moves (project_id, object_id, alias, moved_at, digest, actor_id)
      SELECT ${projectRowId}::uuid, ${objectId}, now.alias, greatest(${at}::timestamptz, last.moved_at + interval '1 microsecond'),
        now.digest, ${actorId}::uuid
      FROM (${now}) AS now LEFT JOIN LATERAL (
        SELECT digest, moved_at FROM alias_moves WHERE ${ofObject(object)} AND alias = now.alias ORDER BY moved_at DESC LIMIT 1
      ) last ON true
      WHERE now.digest IS DISTINCT FROM last.digest`;
  }

  /** What an alias, or `latest`, named at a time; null: nothing. */
  async findDigestAt(object: ObjectKey, alias: string, at: Date): Promise<string | null> {
    const rows = await this.database.client.$queryRaw<{ digest: string | null }[]>`
      SELECT digest FROM alias_moves WHERE ${ofObject(object)} AND alias = ${alias} AND moved_at <= ${at}
      ORDER BY moved_at DESC LIMIT 1`;
    if (rows[0] || alias !== 'latest') return rows[0]?.digest ?? null;
    // Versions may be older than the notes: then the newest of that time was the latest.
    const versions = await this.database.client.$queryRaw<{ digest: string }[]>`
      SELECT digest FROM object_versions WHERE ${ofObject(object)} AND created_at <= ${at}
        AND (deleted_at IS NULL OR deleted_at > ${at})
      ORDER BY created_at DESC, version_index DESC LIMIT 1`;
    return versions[0]?.digest ?? null;
  }
}
