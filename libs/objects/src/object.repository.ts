import { ValueRepository } from '@hone/calls';
import type { VersionSelector } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ObjectVersionDraft, ObjectVersionRecord, VersionFilter, VersionSummary } from './object.record.js';

type VersionRow = Omit<ObjectVersionRecord, 'val'> & { valText: string | null; valBlob: string | null };

const COLUMNS = Prisma.sql`
  v.project_id AS "projectRowId", v.object_id AS "objectId", v.digest, v.version_index AS "versionIndex",
  v.created_at AS "createdAt", v.deleted_at AS "deletedAt", v.kind, v.base_object_class AS "baseObjectClass",
  v.leaf_object_class AS "leafObjectClass", v.svc_user_id AS "svcUserId", v.val_text AS "valText", v.val_blob AS "valBlob"`;

/** Object versions. Every change of an object happens under the lock of its head row. */
@Injectable()
export class ObjectRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** Locks the object's head until the transaction ends; makes it when it is missing. */
  async lockHead(projectRowId: string, objectId: string): Promise<{ nextVersionIndex: number }> {
    const { client } = this.database;
    await client.$executeRaw`
      INSERT INTO object_heads (project_id, object_id, next_version_index)
      VALUES (${projectRowId}::uuid, ${objectId}, 0) ON CONFLICT DO NOTHING`;
    const rows = await client.$queryRaw<{ nextVersionIndex: number }[]>`
      SELECT next_version_index AS "nextVersionIndex" FROM object_heads
      WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId} FOR UPDATE`;
    return rows[0] as { nextVersionIndex: number };
  }

  /** A version, deleted ones included; null when the selector names none. */
  async findVersion(
    projectRowId: string,
    objectId: string,
    selector: VersionSelector,
  ): Promise<ObjectVersionRecord | null> {
    const rows = await this.database.client.$queryRaw<VersionRow[]>`
      SELECT ${COLUMNS} FROM object_versions v
      WHERE v.project_id = ${projectRowId}::uuid AND v.object_id = ${objectId} AND ${matching(projectRowId, objectId, selector)}`;
    return rows[0] ? toRecord(rows[0]) : null;
  }

  /** Locks the head of an object until the transaction ends; false when there is none, now or ever. */
  async lockExistingHead(projectRowId: string, objectId: string): Promise<boolean> {
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM object_heads WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId} FOR UPDATE`;
    return rows.length > 0;
  }

  /** Whether the object has a live version. @param filter one that is meant */
  async hasLive(projectRowId: string, objectId: string, filter?: VersionFilter): Promise<boolean> {
    // The order makes Postgres look a kind up in its index, where it would else try version after version.
    const isKindAlone = filter?.kind !== undefined && filter.baseObjectClass === undefined;
    const order = isKindAlone ? Prisma.sql`ORDER BY v.base_object_class` : Prisma.empty;
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM object_versions v WHERE ${live(projectRowId, objectId, filter)} ${order} LIMIT 1`;
    return rows.length > 0;
  }

  /** The live versions of an object, the first made first. @param filter those that are meant alone */
  listLive(projectRowId: string, objectId: string, filter?: VersionFilter): Promise<VersionSummary[]> {
    return this.database.client.$queryRaw<VersionSummary[]>`
      SELECT v.digest, v.base_object_class AS "baseObjectClass", v.leaf_object_class AS "leafObjectClass"
      FROM object_versions v WHERE ${live(projectRowId, objectId, filter)} ORDER BY v.version_index`;
  }

  /** A base class, other than the given one, that a live version of the same kind has; undefined when there is none. */
  async findOtherClass(
    projectRowId: string,
    { objectId, kind, baseObjectClass }: Pick<ObjectVersionDraft, 'objectId' | 'kind' | 'baseObjectClass'>,
  ): Promise<string | null | undefined> {
    const others =
      baseObjectClass === null
        ? [Prisma.sql`IS NOT NULL`]
        : [Prisma.sql`< ${baseObjectClass}`, Prisma.sql`> ${baseObjectClass}`, Prisma.sql`IS NULL`];
    const [found] = await this.look(others.map((other) => classLook(projectRowId, objectId, kind, other)));
    return found;
  }

  private async look(looks: Prisma.Sql[]): Promise<(string | null)[]> {
    const rows = await this.database.client.$queryRaw<{ name: string | null }[]>(Prisma.join(looks, ' UNION ALL '));
    return rows.map(({ name }) => name);
  }

  /** Stores a version under `versionIndex`, or revives a deleted one of the same digest there. Needs {@link lockHead}. */
  async put(projectRowId: string, draft: ObjectVersionDraft, versionIndex: number, createdAt: Date): Promise<void> {
    const { objectId, digest, kind, baseObjectClass, leafObjectClass, svcUserId, sizeBytes } = draft;
    const { text, blob } = await this.values.put(projectRowId, draft.valText);
    await this.database.client.$executeRaw`
      INSERT INTO object_versions (project_id, object_id, digest, version_index, created_at, kind, base_object_class,
        leaf_object_class, svc_user_id, val_text, val_blob, size_bytes)
      VALUES (${projectRowId}::uuid, ${objectId}, ${digest}, ${versionIndex}, ${createdAt}, ${kind}, ${baseObjectClass},
        ${leafObjectClass}, ${svcUserId}::uuid, ${text}, ${blob}, ${sizeBytes})
      ON CONFLICT (project_id, object_id, digest) DO UPDATE SET version_index = excluded.version_index,
        created_at = excluded.created_at, deleted_at = NULL, svc_user_id = excluded.svc_user_id,
        val_text = excluded.val_text, val_blob = excluded.val_blob`;
    await this.database.client.$executeRaw`
      UPDATE object_heads SET next_version_index = ${versionIndex + 1}
      WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId}`;
  }

  /** Makes one live version the latest. Needs {@link lockHead}. */
  async setLatest(projectRowId: string, objectId: string, digest: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE object_heads h SET latest_digest = v.digest, latest_created_at = v.created_at, latest_version_index = v.version_index
      FROM object_versions v
      WHERE h.project_id = ${projectRowId}::uuid AND h.object_id = ${objectId}
        AND v.project_id = h.project_id AND v.object_id = h.object_id AND v.digest = ${digest}`;
  }

  /** Makes a deleted version live, and the latest where no newer one is. Needs {@link lockHead}. */
  async restore(projectRowId: string, objectId: string, digest: string): Promise<void> {
    const { client } = this.database;
    await client.$executeRaw`
      UPDATE object_versions SET deleted_at = NULL
      WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId} AND digest = ${digest}`;
    await client.$executeRaw`
      UPDATE object_heads h SET latest_digest = v.digest, latest_created_at = v.created_at, latest_version_index = v.version_index
      FROM object_versions v
      WHERE h.project_id = ${projectRowId}::uuid AND h.object_id = ${objectId}
        AND v.project_id = h.project_id AND v.object_id = h.object_id AND v.digest = ${digest}
        AND (h.latest_digest IS NULL
          OR (v.created_at, v.version_index) > (h.latest_created_at, h.latest_version_index))`;
  }

  /** Soft: the versions and their tags go; latest is the newest version that is left. Needs {@link lockHead}. */
  async deleteVersions(projectRowId: string, objectId: string, digests: string[]): Promise<void> {
    const { client } = this.database;
    const which = Prisma.sql`project_id = ${projectRowId}::uuid AND object_id = ${objectId} AND digest = ANY(${digests})`;
    await client.$executeRaw`UPDATE object_versions SET deleted_at = now() WHERE ${which} AND deleted_at IS NULL`;
    await client.$executeRaw`DELETE FROM object_tags WHERE ${which}`;
    await client.$executeRaw`
      UPDATE object_heads h SET latest_digest = newest.digest, latest_created_at = newest.created_at,
        latest_version_index = newest.version_index
      FROM (SELECT 1) AS always LEFT JOIN LATERAL (
        SELECT digest, created_at, version_index FROM object_versions
        WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId} AND deleted_at IS NULL
        ORDER BY created_at DESC, version_index DESC LIMIT 1
      ) newest ON true
      WHERE h.project_id = ${projectRowId}::uuid AND h.object_id = ${objectId} AND h.latest_digest = ANY(${digests})`;
  }
}

/** The live versions `v` of an object. With a class both kinds are named, so that their index serves it, too. */
function live(projectRowId: string, objectId: string, { kind, baseObjectClass }: VersionFilter = {}): Prisma.Sql {
  const ofObject = Prisma.sql`v.project_id = ${projectRowId}::uuid AND v.object_id = ${objectId} AND v.deleted_at IS NULL`;
  if (kind === undefined && baseObjectClass === undefined) return ofObject;
  const kinds = kind === undefined ? ['object', 'op'] : [kind];
  const ofKind = Prisma.sql`${ofObject} AND v.kind IN (${Prisma.join(kinds)})`;
  return baseObjectClass === undefined ? ofKind : Prisma.sql`${ofKind} AND v.base_object_class = ${baseObjectClass}`;
}

/**
 * The first base class, of those that meet a condition, among the live versions of one kind. One look into an index,
 * however many versions there are: without the order Postgres may try version after version until one meets it.
 */
const classLook = (
  projectRowId: string,
  objectId: string,
  kind: string,
  condition: Prisma.Sql,
): Prisma.Sql => Prisma.sql`
  (SELECT base_object_class AS name FROM object_versions
   WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId} AND kind = ${kind} AND deleted_at IS NULL
     AND base_object_class ${condition} ORDER BY base_object_class LIMIT 1)`;

/** What a selector says of `object_versions v`. Sub-selects do not name `v`: they would run for every version. */
function matching(projectRowId: string, objectId: string, selector: VersionSelector): Prisma.Sql {
  const ofObject = (table: Prisma.Sql) =>
    Prisma.sql`FROM ${table} o WHERE o.project_id = ${projectRowId}::uuid AND o.object_id = ${objectId}`;
  switch (selector.by) {
    case 'latest':
      return Prisma.sql`v.digest = (SELECT o.latest_digest ${ofObject(Prisma.sql`object_heads`)})`;
    case 'index':
      return Prisma.sql`v.version_index = ${selector.versionIndex}`;
    case 'digest':
      return Prisma.sql`v.digest = ${selector.digest}`;
    case 'alias':
      return Prisma.sql`v.digest = (SELECT o.digest ${ofObject(Prisma.sql`object_aliases`)} AND o.alias = ${selector.alias})`;
  }
}

const toRecord = ({ valText, valBlob, ...row }: VersionRow): ObjectVersionRecord => ({
  ...row,
  val: { text: valText, blob: valBlob },
});
