import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** An object of a project. */
export interface ObjectKey {
  projectRowId: string;
  objectId: string;
}

/** Digests of versions -> shares, relative to the sum, of the prompts that name an alias. */
export type AliasWeights = Readonly<Record<string, number>>;

/** What an alias names. */
export interface AliasTarget {
  /** Of the version. */
  digest: string;
  /** Null: prompts get that version, too. */
  weights: AliasWeights | null;
}

/** Which aliases of an object are meant: those with these names that are set otherwise, those of these versions. */
export type AliasFilter = { aliases: string[]; movedTo?: AliasTarget } | { digests: string[] };

/** For a column of JSON. */
export const toJson = (weights: AliasWeights | null): string | null => weights && JSON.stringify(weights);

const ofObject = ({ projectRowId, objectId }: ObjectKey): Prisma.Sql =>
  Prisma.sql`project_id = ${projectRowId}::uuid AND object_id = ${objectId}`;

/** False also where there are no weights. */
const HAS_SHARES = Prisma.sql`EXISTS (SELECT 1 FROM jsonb_each(weights) AS share WHERE share.value::numeric > 0)`;

/** What aliases, and `latest`, have named in the course of time. Changes need the lock of the object's head. */
@Injectable()
export class AliasRepository {
  constructor(private readonly database: Database) {}

  /** A protected alias among those that are meant; null: there is none. */
  async findProtected(object: ObjectKey, filter: AliasFilter): Promise<string | null> {
    const isMeant =
      'digests' in filter
        ? Prisma.sql`(digest = ANY(${filter.digests}) OR weights ?| ${filter.digests})`
        : Prisma.sql`alias = ANY(${filter.aliases}) AND (digest IS DISTINCT FROM ${filter.movedTo?.digest ?? null}::text
            OR weights IS DISTINCT FROM ${toJson(filter.movedTo?.weights ?? null)}::jsonb)`;
    const rows = await this.database.client.$queryRaw<{ alias: string }[]>`
      SELECT alias FROM object_aliases WHERE ${ofObject(object)} AND protected AND ${isMeant} ORDER BY alias LIMIT 1`;
    return rows[0]?.alias ?? null;
  }

  /**
   * Takes versions that are deleted out of the aliases. One that is split goes on with the versions that are left: if its
   * own is gone, it names the one with the largest share. Without a version it goes.
   *
   * @returns the aliases that name another version now, or none
   */
  async withoutVersions(object: ObjectKey, digests: string[]): Promise<string[]> {
    const { client } = this.database;
    await client.$executeRaw`
      UPDATE object_aliases SET weights = weights - ${digests}::text[] WHERE ${ofObject(object)} AND weights ?| ${digests}`;
    const moved = await client.$queryRaw<{ alias: string }[]>`
      UPDATE object_aliases a SET digest = (
        SELECT key FROM jsonb_each(a.weights) ORDER BY value::numeric DESC, key COLLATE "C" LIMIT 1)
      WHERE ${ofObject(object)} AND digest = ANY(${digests}) AND ${HAS_SHARES} RETURNING alias`;
    // A split over one version, or over none that gets a share, is none.
    await client.$executeRaw`
      UPDATE object_aliases SET weights = NULL WHERE ${ofObject(object)} AND weights IS NOT NULL
        AND NOT ((SELECT count(*) FROM jsonb_object_keys(weights)) > 1 AND ${HAS_SHARES})`;
    const gone = await client.$queryRaw<{ alias: string }[]>`
      DELETE FROM object_aliases WHERE ${ofObject(object)} AND digest = ANY(${digests}) RETURNING alias`;
    return [...moved, ...gone].map(({ alias }) => alias);
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
