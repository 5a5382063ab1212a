import { type StoredValue, ValueRepository } from '@hone/calls';
import type { VersionSelector } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** A version of an object. */
export interface PromptVersion {
  readonly digest: string;
  /** Counts from 0. */
  readonly versionIndex: number;
  /** Of the JSON of its value. */
  readonly sizeBytes: number;
}

/** Versions of objects, which the trace service keeps. */
@Injectable()
export class PromptsRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** Null: there is none, or it was deleted. */
  async find(projectRowId: string, objectId: string, selector: VersionSelector): Promise<PromptVersion | null> {
    const [row] = await this.database.client.$queryRaw<PromptVersion[]>`
      SELECT v.digest, v.version_index AS "versionIndex", v.size_bytes::float8 AS "sizeBytes"
      FROM object_versions v
      WHERE v.project_id = ${projectRowId}::uuid AND v.object_id = ${objectId} AND v.kind = 'object'
        AND v.deleted_at IS NULL AND ${matching(projectRowId, objectId, selector)}`;
    return row ?? null;
  }

  /** The value as JSON; null: it is gone. */
  async read(projectRowId: string, objectId: string, digest: string): Promise<string | null> {
    const [row] = await this.database.client.$queryRaw<StoredValue[]>`
      SELECT val_text AS text, val_blob AS blob FROM object_versions
      WHERE project_id = ${projectRowId}::uuid AND object_id = ${objectId} AND digest = ${digest} AND deleted_at IS NULL`;
    return row ? this.values.get(projectRowId, row) : null;
  }
}

/** Sub-selects do not name `v`: they would run for every version. */
function matching(projectRowId: string, objectId: string, selector: VersionSelector): Prisma.Sql {
  const ofObject = Prisma.sql`o.project_id = ${projectRowId}::uuid AND o.object_id = ${objectId}`;
  switch (selector.by) {
    case 'latest':
      return Prisma.sql`v.digest = (SELECT o.latest_digest FROM object_heads o WHERE ${ofObject})`;
    case 'index':
      return Prisma.sql`v.version_index = ${selector.versionIndex}`;
    case 'digest':
      return Prisma.sql`v.digest = ${selector.digest}`;
    case 'alias':
      return Prisma.sql`v.digest = (SELECT o.digest FROM object_aliases o WHERE ${ofObject} AND o.alias = ${selector.alias})`;
  }
}
