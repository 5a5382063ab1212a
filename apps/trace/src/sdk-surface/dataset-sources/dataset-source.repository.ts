import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { DatasetSourcesQueryDto, SourceDto, SourceKind } from './dataset-sources.dto.js';

/** One link, as it is stored. */
export interface LinkDraft {
  id: string;
  rowDigest: string;
  kind: SourceKind;
  sourceId: string;
  traceId: string;
  /** Exact text; null: none. */
  metadata: string | null;
}

/** What a link has become. */
export interface StoredLink {
  id: string;
  rowDigest: string;
  kind: string;
  sourceId: string;
  traceId: string;
  isNew: boolean;
}

export interface LinkRow extends Omit<StoredLink, 'isNew'> {
  metadata: string | null;
  addedBy: string;
  createdAt: Date;
  updatedAt: Date;
  deletedAt: Date | null;
  displayName: string;
  startedAt: Date;
}

export interface MembershipRow {
  datasetObjectId: string;
  kind: string;
  sourceId: string;
  traceId: string;
  firstSeenAt: Date;
  rowDigests: string[];
  count: number;
}

/** Rows that a membership lists. */
export const MAX_LISTED_ROWS = 100;

/** Links between rows of datasets and what they came from. */
@Injectable()
export class DatasetSourceRepository {
  constructor(private readonly database: Database) {}

  /** Stores links, each once; one that was deleted comes back. Rows go in by key, so that two calls never deadlock. */
  async link(projectRowId: string, datasetObjectId: string, userId: string, links: LinkDraft[]): Promise<StoredLink[]> {
    return this.database.client.$queryRaw<StoredLink[]>`
      INSERT INTO dataset_sources (project_id, dataset_object_id, row_digest, source_kind, source_id, source_trace_id, id,
        link_metadata, added_by, created_at, updated_at)
      SELECT ${projectRowId}::uuid, ${datasetObjectId}, "rowDigest", kind, "sourceId", "traceId", id, metadata,
        ${userId}::uuid, now(), now()
      FROM json_to_recordset(${JSON.stringify(links)}::json)
        AS row (id text, "rowDigest" text, kind text, "sourceId" text, "traceId" text, metadata text)
      ORDER BY "rowDigest", kind, "sourceId", "traceId"
      ON CONFLICT (project_id, dataset_object_id, row_digest, source_kind, source_id, source_trace_id) DO UPDATE
        SET updated_at = now(), deleted_at = NULL,
          link_metadata = coalesce(excluded.link_metadata, dataset_sources.link_metadata)
      RETURNING id, row_digest AS "rowDigest", source_kind AS kind, source_id AS "sourceId", source_trace_id AS "traceId",
        xmax = 0 AS "isNew"`;
  }

  /** Soft. @returns ids of those that were there */
  async delete(projectRowId: string, ids: string[]): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      UPDATE dataset_sources SET deleted_at = now(), updated_at = now()
      WHERE project_id = ${projectRowId}::uuid AND id = ANY(${ids}) AND deleted_at IS NULL
      RETURNING id`;
    return rows.map(({ id }) => id);
  }

  /** Links of a dataset, oldest first, with what is known of the calls among their sources. */
  async list(projectRowId: string, query: DatasetSourcesQueryDto): Promise<LinkRow[]> {
    const { dataset_object_id, row_digests, source_kinds, include_deleted, limit, offset } = query;
    return this.database.client.$queryRaw<LinkRow[]>`
      SELECT s.id, s.row_digest AS "rowDigest", s.source_kind AS kind, s.source_id AS "sourceId",
        s.source_trace_id AS "traceId", s.link_metadata AS metadata, s.added_by AS "addedBy", s.created_at AS "createdAt",
        s.updated_at AS "updatedAt", s.deleted_at AS "deletedAt",
        coalesce(c.display_name, c.op_name, s.source_id) AS "displayName",
        coalesce(c.started_at, s.created_at) AS "startedAt"
      FROM dataset_sources s
      LEFT JOIN calls c ON s.source_kind = 'call' AND c.project_id = s.project_id AND c.id = s.source_id
      WHERE s.project_id = ${projectRowId}::uuid AND s.dataset_object_id = ${dataset_object_id}
        AND (${row_digests ?? null}::text[] IS NULL OR s.row_digest = ANY(${row_digests ?? null}))
        AND (${source_kinds ?? null}::text[] IS NULL OR s.source_kind = ANY(${source_kinds ?? null}))
        AND ${include_deleted ? Prisma.sql`true` : Prisma.sql`s.deleted_at IS NULL`}
      ORDER BY s.created_at, s.id LIMIT ${limit ?? null} OFFSET ${offset ?? 0}`;
  }

  /** Datasets that have rows from one of the sources. */
  async memberships(projectRowId: string, sources: SourceDto[], includeDeleted: boolean): Promise<MembershipRow[]> {
    return this.database.client.$queryRaw<MembershipRow[]>`
      SELECT s.dataset_object_id AS "datasetObjectId", s.source_kind AS kind, s.source_id AS "sourceId",
        s.source_trace_id AS "traceId", min(s.created_at) AS "firstSeenAt", count(*)::int AS count,
        (array_agg(s.row_digest ORDER BY s.row_digest))[1:${MAX_LISTED_ROWS}] AS "rowDigests"
      FROM json_to_recordset(${JSON.stringify(sources)}::json)
        AS one (source_id text, source_kind text, source_trace_id text)
      JOIN dataset_sources s ON s.project_id = ${projectRowId}::uuid AND s.source_id = one.source_id
        AND s.source_kind = one.source_kind AND s.source_trace_id = one.source_trace_id
      WHERE ${includeDeleted ? Prisma.sql`true` : Prisma.sql`s.deleted_at IS NULL`}
      GROUP BY 1, 2, 3, 4 ORDER BY 5, 1, 3`;
  }
}
