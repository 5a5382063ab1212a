import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { Visible } from '../access/training-access.js';
import { type ProjectNames, visibleConditions } from '../access/visible.sql.js';
import type { PageQuery } from '../http/page.js';
import type { ArtifactVersionFiles, ArtifactVersionRecord } from './artifact.record.js';

/** Names that narrow a list; absent: they do not. */
export interface ArtifactFilter extends ProjectNames {
  readonly name?: string;
}

const COLUMNS = Prisma.sql`
  v.id, e.name AS entity, p.name AS project, a.name, v.version, v.digest, v.bytes::float8 AS bytes,
  v.created_at AS "createdAt"`;
const TABLES = Prisma.sql`
  artifact_versions v JOIN artifacts a ON a.project_id = v.project_id AND a.id = v.artifact_id
  JOIN projects p ON p.id = v.project_id JOIN entities e ON e.id = p.entity_id`;

/** Reads versions of artifacts. */
@Injectable()
export class ArtifactRepository {
  constructor(private readonly database: Database) {}

  /** Null: there is no such version, or it is deleted. */
  async find(projectId: string, name: string, version: number | 'latest'): Promise<ArtifactVersionFiles | null> {
    const condition = version === 'latest' ? Prisma.empty : Prisma.sql`AND v.version = ${version}`;
    const rows = await this.database.client.$queryRaw<ArtifactVersionFiles[]>`
      SELECT ${COLUMNS}, v.uri, v.files FROM ${TABLES}
      WHERE v.project_id = ${projectId}::uuid AND a.name = ${name} AND v.deleted_at IS NULL ${condition}
      ORDER BY v.version DESC LIMIT 1`;
    return rows[0] ?? null;
  }

  /** Up to `limit + 1` live versions, in the order in which they were made. */
  async list(visible: Visible, filter: ArtifactFilter, { limit, after }: PageQuery): Promise<ArtifactVersionRecord[]> {
    const conditions = [
      Prisma.sql`v.deleted_at IS NULL`,
      ...visibleConditions(visible, filter),
      filter.name !== undefined && Prisma.sql`a.name = ${filter.name}`,
      after !== undefined && Prisma.sql`v.id > ${after}::uuid`,
    ].filter((condition) => condition instanceof Prisma.Sql);
    return this.database.client.$queryRaw<ArtifactVersionRecord[]>`
      SELECT ${COLUMNS} FROM ${TABLES} WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY v.id LIMIT ${limit + 1}`;
  }

  /** Whether a version, live or deleted, is one that the list could have shown. */
  async wasVisible(visible: Visible, id: string): Promise<boolean> {
    const conditions = [Prisma.sql`v.id = ${id}::uuid`, ...visibleConditions(visible)];
    const rows = await this.database.client.$queryRaw<unknown[]>`
      SELECT 1 FROM ${TABLES} WHERE ${Prisma.join(conditions, ' AND ')}`;
    return rows.length > 0;
  }
}
