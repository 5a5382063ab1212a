import { AuditLog, type Principal, ProjectAccess } from '@hone/auth';
import { RawJson, stringifyJson, tooManyIssue } from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { ObjectService } from '../../objects/object.service.js';
import { DatasetSourceRepository, type LinkDraft, type LinkRow, MAX_LISTED_ROWS } from './dataset-source.repository.js';
import type {
  DatasetSourcesQueryDto,
  LinksDeleteDto,
  SourceDatasetsQueryDto,
  SourcesLinkDto,
} from './dataset-sources.dto.js';

/** Links of one request, and sources that one request asks for. */
const MAX_LINKS = 10_000;
const MAX_SOURCES = 1_000;

@Injectable()
export class DatasetSourcesService {
  constructor(
    private readonly sources: DatasetSourceRepository,
    private readonly objects: ObjectService,
    private readonly access: ProjectAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * Links rows of a dataset to what they came from. The same link again changes nothing but its metadata.
   *
   * @returns one entry for each link that was sent, in their order
   * @throws AccessDeniedError, ProjectNotFoundError, ObjectNotFoundError, ObjectDeletedError, ValidationError
   */
  async link(author: Principal, body: SourcesLinkDto): Promise<object> {
    const { project_id, dataset_object_id, dataset_digest, include_created_status } = body;
    const count = body.links.reduce((sum, { sources }) => sum + sources.length, 0);
    if (count > MAX_LINKS) throw new ValidationError([tooManyIssue(MAX_LINKS, ['body', 'links'])]);
    const projectRowId = await this.access.getReadable(author, 'trace', project_id, 'writer');
    await this.objects.getLive(projectRowId, project_id, dataset_object_id, dataset_digest);
    const drafts = toDrafts(body);
    const unique = [...new Map(drafts.map((draft) => [keyOf(draft), draft])).values()];
    const stored = await this.sources.link(projectRowId, dataset_object_id, author.userId, unique);
    const byKey = new Map(stored.map((link) => [keyOf(link), link]));
    const entries = drafts.map((draft) => {
      const link = byKey.get(keyOf(draft)) as (typeof stored)[0];
      return { link_id: link.id, ...(include_created_status && { created: link.isNew }) };
    });
    return { entries };
  }

  /**
   * Soft: the same link may be made again.
   *
   * @returns one entry for each id that was sent, in their order: whether this request deleted it
   * @throws AccessDeniedError, ProjectNotFoundError
   */
  async delete(caller: Principal, { project_id, link_ids }: LinksDeleteDto): Promise<object> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'writer');
    const deleted = await this.database.transaction(async () => {
      const ids = new Set(await this.sources.delete(projectRowId, link_ids));
      const count = ids.size;
      if (count > 0) await this.audit.addOf(caller, project_id, 'dataset_links.delete', { count });
      return ids;
    });
    return { entries: link_ids.map((link_id) => ({ link_id, deleted: deleted.has(link_id) })) };
  }

  /** @throws AccessDeniedError */
  async list(caller: Principal, query: DatasetSourcesQueryDto): Promise<object> {
    const projectRowId = await this.access.findReadable(caller, 'trace', query.project_id);
    return { links: projectRowId === null ? [] : (await this.sources.list(projectRowId, query)).map(toLink) };
  }

  /** @throws AccessDeniedError, ValidationError */
  async memberships(caller: Principal, query: SourceDatasetsQueryDto): Promise<object> {
    const { sources } = query;
    if (sources.length > MAX_SOURCES) throw new ValidationError([tooManyIssue(MAX_SOURCES, ['body', 'sources'])]);
    const projectRowId = await this.access.findReadable(caller, 'trace', query.project_id);
    if (projectRowId === null) return { memberships: [] };
    const rows = await this.sources.memberships(projectRowId, sources, query.include_deleted === true);
    const memberships = rows.map(({ datasetObjectId, kind, sourceId, traceId, firstSeenAt, rowDigests, count }) => ({
      ...{ dataset_object_id: datasetObjectId, source_kind: kind, source_id: sourceId, source_trace_id: traceId },
      ...{ first_seen_at: firstSeenAt, row_digests: rowDigests, row_digests_total_count: count },
      row_digests_truncated: count > MAX_LISTED_ROWS,
    }));
    return { memberships };
  }
}

const toDrafts = ({ links }: SourcesLinkDto): LinkDraft[] =>
  links.flatMap(({ row_digest, sources, link_metadata }) =>
    sources.map(({ source_id, source_kind, source_trace_id }) => ({
      ...{ id: newId(), rowDigest: row_digest, kind: source_kind, sourceId: source_id, traceId: source_trace_id },
      metadata: link_metadata ? stringifyJson(link_metadata) : null,
    })),
  );

const keyOf = ({ rowDigest, kind, sourceId, traceId }: Pick<LinkRow, 'rowDigest' | 'kind' | 'sourceId' | 'traceId'>) =>
  JSON.stringify([rowDigest, kind, sourceId, traceId]);

const toLink = (row: LinkRow) => ({
  id: row.id,
  row_digest: row.rowDigest,
  source_kind: row.kind,
  source_id: row.sourceId,
  source_trace_id: row.traceId,
  source_display_name: row.displayName,
  source_started_at: row.startedAt,
  link_metadata: row.metadata === null ? null : new RawJson(row.metadata),
  added_by: row.addedBy,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
  deleted_at: row.deletedAt,
});
