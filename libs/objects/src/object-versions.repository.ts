import { type StoredValue, ValueRepository } from '@hone/calls';
import type { VersionSelector } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** A version of an object that a selector names. */
export interface ObjectVersion {
  readonly digest: string;
  /** Share of the requests for its alias, relative to the sum; 1 where the alias is not split. */
  readonly weight: number;
  /** Counts from 0. */
  readonly versionIndex: number;
  /** Of the JSON of its value. */
  readonly sizeBytes: number;
}

/** Versions of objects, as services read them that do not keep them. */
@Injectable()
export class ObjectVersionsRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** The version that a selector names, or all over which an alias is split; null: there is none, or it was deleted. */
  async find(
    projectRowId: string,
    objectId: string,
    selector: VersionSelector,
  ): Promise<readonly ObjectVersion[] | null> {
    const rows = await this.database.client.$queryRaw<ObjectVersion[]>`
      SELECT v.digest, v.version_index AS "versionIndex", v.size_bytes::float8 AS "sizeBytes", named.weight
      FROM (${named(projectRowId, objectId, selector)}) named JOIN object_versions v USING (digest)
      WHERE v.project_id = ${projectRowId}::uuid AND v.object_id = ${objectId} AND v.kind = 'object'
        AND v.deleted_at IS NULL`;
    return rows.length > 0 ? rows : null;
  }

  /** The value as JSON; null: it is gone. */
  async read(projectRowId: string, objectId: string, digest: string): Promise<string | null> {
    const [row] = await this.database.client.$queryRaw<StoredValue[]>`
      SELECT val_text AS text, val_blob AS blob FROM object_versions
      WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId} AND digest = ${digest} AND deleted_at IS NULL`;
    return row ? this.values.get(projectRowId, row) : null;
  }
}

/** Digests and weights of the versions that a selector names. */
function named(projectRowId: string, objectId: string, selector: VersionSelector): Prisma.Sql {
  const ofObject = Prisma.sql`project_id = ${projectRowId}::uuid AND object_id = ${objectId}`;
  switch (selector.by) {
    case 'latest':
      return Prisma.sql`SELECT latest_digest AS digest, 1::float8 AS weight FROM object_heads WHERE ${ofObject}`;
    case 'index':
      return Prisma.sql`SELECT digest, 1::float8 AS weight FROM object_versions
        WHERE ${ofObject} AND version_index = ${selector.versionIndex}`;
    case 'digest':
      return Prisma.sql`SELECT ${selector.digest}::text AS digest, 1::float8 AS weight`;
    case 'alias':
      return Prisma.sql`SELECT coalesce(share.key, digest) AS digest, coalesce(share.value::float8, 1) AS weight
        FROM object_aliases LEFT JOIN LATERAL jsonb_each_text(weights) AS share ON true
        WHERE ${ofObject} AND alias = ${selector.alias}`;
  }
}
