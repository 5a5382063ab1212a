import type { ObjectAliasDto } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { type AliasTarget, type ObjectKey, toJson } from '@hone/objects';
import { Injectable } from '@nestjs/common';

/** Where each kind of label is stored. */
const TABLES = { tag: Prisma.sql`object_tags`, alias: Prisma.sql`object_aliases` };

/** Tags and aliases of versions. What changes them needs the lock of the object's head, as deletions do. */
@Injectable()
export class LabelRepository {
  constructor(private readonly database: Database) {}

  /** Adds tags to a version; those that it has stay as they are. */
  async addTags({ projectRowId, objectId }: ObjectKey, digest: string, tags: string[], userId: string): Promise<void> {
    await this.database.client.$executeRaw`
      INSERT INTO object_tags (project_id, object_id, digest, tag, created_at, svc_user_id)
      SELECT ${projectRowId}::uuid, ${objectId}, ${digest}, tag, now(), ${userId}::uuid FROM unnest(${tags}::text[]) AS tag
      ON CONFLICT DO NOTHING`;
  }

  /** Takes tags from a version; those that it does not have are no error. */
  async removeTags({ projectRowId, objectId }: ObjectKey, digest: string, tags: string[]): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM object_tags WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId}
        AND digest = ${digest} AND tag = ANY(${tags})`;
  }

  /**
   * Makes aliases name a version and be split as it says, whatever they named before.
   *
   * @param isProtected undefined: as they are; new ones are not
   */
  async setAliases(
    { projectRowId, objectId }: ObjectKey,
    { digest, weights }: AliasTarget,
    aliases: string[],
    userId: string,
    isProtected: boolean | undefined,
  ): Promise<void> {
    const protection =
      isProtected === undefined ? Prisma.sql`object_aliases.protected` : Prisma.sql`excluded.protected`;
    await this.database.client.$executeRaw`
      INSERT INTO object_aliases (project_id, object_id, alias, digest, created_at, svc_user_id, protected, weights)
      SELECT ${projectRowId}::uuid, ${objectId}, alias, ${digest}, now(), ${userId}::uuid, ${isProtected ?? false},
        ${toJson(weights)}::jsonb
      FROM (SELECT DISTINCT unnest(${aliases}::text[])) AS sent (alias)
      ON CONFLICT (project_id, object_id, alias) DO UPDATE SET digest = excluded.digest,
        created_at = excluded.created_at, svc_user_id = excluded.svc_user_id, protected = ${protection},
        weights = excluded.weights`;
  }

  async removeAliases({ projectRowId, objectId }: ObjectKey, aliases: string[]): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM object_aliases WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId}
        AND alias = ANY(${aliases})`;
  }

  /** Aliases of an object, by code point. */
  async listOfObject({ projectRowId, objectId }: ObjectKey): Promise<ObjectAliasDto[]> {
    return this.database.client.$queryRaw<ObjectAliasDto[]>`
      SELECT alias, digest, protected, weights FROM object_aliases
      WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId} ORDER BY alias COLLATE "C"`;
  }

  /** All labels of a kind in a project, each once, by code point. */
  async list(projectRowId: string, kind: keyof typeof TABLES): Promise<string[]> {
    const column = Prisma.raw(kind);
    const rows = await this.database.client.$queryRaw<{ label: string }[]>`
      SELECT DISTINCT ${column} COLLATE "C" AS label FROM ${TABLES[kind]}
      WHERE project_id = ${projectRowId}::uuid ORDER BY 1`;
    return rows.map(({ label }) => label);
  }
}
